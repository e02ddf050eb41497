"""Calls of a worker, in a process and in a thread."""

import time
from concurrent.futures import wait
from functools import partial
from typing import Any

import pytest

from scrapy_webtext.errors import ExtractionTimeoutError, WorkerDiedError
from scrapy_webtext.log_text import frames_of
from scrapy_webtext.worker import MAX_SETUPS, SETUP_RESULT, Worker
from scrapy_webtext.worker.call import Call, Setups
from tests.kits import workload
from tests.kits.workload import echo, hang, load, setups, square


def test_calls_are_made_in_their_order(kind: Any) -> None:
    one = Worker(kind, 30)
    futures = [one.submit(square, number) for number in range(50)]
    assert [future.result(60) for future in futures] == [n * n for n in range(50)]
    one.close()


def test_a_call_that_hangs_costs_itself_and_no_other(kind: Any) -> None:
    one = Worker(kind, 0.5)
    before, hung, after = (
        one.submit(square, 2), one.submit(hang, 20), one.submit(square, 3),
    )  # fmt: skip
    assert before.result(60) == 4
    with pytest.raises(ExtractionTimeoutError, match=r"no result after 0\.5 seconds"):
        hung.result(60)
    assert after.result(60) == 9
    one.close()


def test_without_a_limit_a_call_may_take_its_time(kind: Any) -> None:
    one = Worker(kind, 0)
    assert one.submit(hang, 0.5).result(60) is None
    one.close()


def test_a_call_that_its_caller_cancels_is_not_made(kind: Any) -> None:
    one = Worker(kind, 30)
    running, cancelled, after = one.submit(hang, 0.3), one.submit(hang, 60), one.submit(square, 3)
    assert cancelled.cancel()
    assert after.result(20) == 9
    assert running.done()
    one.close()


@pytest.mark.parametrize("end", [workload.leave, workload.interrupt])
def test_what_ends_a_program_is_an_error_like_any_other(kind: Any, end: Any) -> None:
    one = Worker(kind, 30)
    ended, after = one.submit(end), one.submit(square, 3)
    with pytest.raises(WorkerDiedError, match="the extractor raised"):
        ended.result(60)
    assert after.result(60) == 9
    one.close()


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (workload.exhaust, RuntimeError, "StopIteration"),
        (workload.raise_cancelled, RuntimeError, "CancelledError"),
        (workload.raise_cancelled_of_asyncio, WorkerDiedError, "CancelledError"),
    ],
)
def test_errors_that_mean_something_else_to_a_coroutine_arrive_as_others(
    kind: Any, function: Any, error: type[Exception], message: str
) -> None:
    one = Worker(kind, 30)
    with pytest.raises(error, match=message) as caught:
        one.submit(function).result(60)
    assert frames_of(caught.value).endswith(f"in {function.__name__}")
    one.close()


def test_errors_arrive_as_they_are_with_their_places(kind: Any) -> None:
    one = Worker(kind, 30)
    with pytest.raises(ZeroDivisionError) as caught:
        one.submit(divmod, 1, 0).result(60)
    assert isinstance(frames_of(caught.value), str)
    with pytest.raises(TypeError) as caught_too:
        one.submit(square, "x").result(60)
    assert frames_of(caught_too.value).endswith("in square")
    one.close()


def test_a_setup_may_take_longer_than_a_call_and_is_made_once(kind: Any) -> None:
    one = Worker(kind, 1)
    for _ in range(3):
        made = one.submit(setups, SETUP_RESULT, setup=partial(load, "large", 1.5))
        assert made.result(60) == ["large", "model large"]
    one.close()


def test_setups_by_turns_are_made_once_each(kind: Any) -> None:
    one = Worker(kind, 30)
    for _ in range(3):
        for name in ("a", "b"):
            model = one.submit(echo, SETUP_RESULT, setup=partial(load, name)).result(60)
            assert model == f"model {name}"
    assert one.submit(setups).result(60) == ["a", "b"]
    one.close()


def test_a_setup_is_made_again_where_its_worker_died() -> None:
    one = Worker("process", 30)
    call = partial(one.submit, setups, setup=partial(load, "large"))
    assert call().result(60) == ["large"]
    with pytest.raises(WorkerDiedError):
        one.submit(workload.die, 1).result(60)
    assert call().result(60) == ["large"]
    one.close()


def test_a_setup_that_fails_costs_its_call_and_is_tried_again(kind: Any) -> None:
    one = Worker(kind, 30)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            one.submit(square, 3, setup=partial(divmod, 1, 0)).result(60)
    with pytest.raises(WorkerDiedError, match="SystemExit"):
        one.submit(square, 3, setup=workload.leave).result(60)
    assert one.submit(square, 3).result(60) == 9
    one.close()


def test_a_setup_that_hangs_twice_is_not_tried_again(kind: Any) -> None:
    limit = 0.5 if kind == "thread" else 2.5  # the start of a process is in it
    one = Worker(kind, 0, setup_timeout=limit)
    for message in (f"was not done after {limit} seconds", "was not done", f"longer than {limit}"):
        began = time.monotonic()
        with pytest.raises(ExtractionTimeoutError, match=message):
            one.submit(square, 3, setup=partial(load, "hung", 60)).result(60)
    assert time.monotonic() - began < 0.5
    assert one.submit(square, 3).result(60) == 9
    one.close()


def test_a_setup_that_does_not_pickle_serves_in_a_thread() -> None:
    one, made = Worker("thread", 30), []

    def setup() -> int:
        made.append(1)
        return 5

    assert [one.submit(square, SETUP_RESULT, setup=setup).result(60) for _ in range(3)] == [25] * 3
    assert made == [1]
    one.close()


def test_of_more_setups_than_are_kept_the_longest_unused_is_made_again() -> None:
    kept, made = Setups(), []

    def call(key: int) -> Call:
        return Call(square, (), lambda: made.append(key) or key, key)  # type: ignore[func-returns-value]

    for key in range(MAX_SETUPS):
        assert kept.result(call(key)) == key
    for key in (0, MAX_SETUPS, 0, 1):  # 1 goes for MAX_SETUPS, 2 for 1
        assert kept.result(call(key)) == key
    assert made[MAX_SETUPS:] == [MAX_SETUPS, 1]


def test_a_future_knows_the_seconds_of_its_call_alone(kind: Any) -> None:
    one = Worker(kind, 1)
    setup = partial(load, "slow", 1.5)
    made = [one.submit(hang, 0.2, setup=setup) for _ in range(3)]
    failed, late = one.submit(hang, "x"), one.submit(hang, 20)
    wait([*made, failed, late], 60)
    assert all(0.2 <= future.seconds < 1.5 for future in made)
    assert failed.seconds < 1
    assert 1 <= late.seconds < 20
    one.close()
    assert one.submit(square, 3).seconds == 0
