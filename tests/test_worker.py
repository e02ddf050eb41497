"""The worker: order, time limits, deaths, and that nothing hung keeps a process alive."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from typing import Any

import pytest

from scrapy_webtext import worker
from scrapy_webtext.errors import ExtractionTimeoutError, WorkerDiedError
from scrapy_webtext.faults import frames_of
from scrapy_webtext.worker import Worker

KINDS: list[Any] = ["thread", "process"]


def square(number: int) -> int:
    return number * number


def hang(seconds: float) -> None:
    time.sleep(seconds)


def die(code: int) -> None:
    os._exit(code)


def leave() -> None:
    raise SystemExit(3)


def interrupt() -> None:
    raise KeyboardInterrupt


class TwoWordsError(Exception):
    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} {two}")


def fail_with_two_words() -> None:
    raise TwoWordsError("a", "b")


def unpicklable() -> Any:
    return threading.Lock()


def who() -> int:
    return os.getpid()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Any:
    return request.param


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


@pytest.mark.parametrize("code", [0, 1, 77])
def test_a_process_that_dies_costs_its_call_and_no_other(code: int) -> None:
    one = Worker("process", 30)
    dead, after = one.submit(die, code), one.submit(square, 3)
    with pytest.raises(WorkerDiedError, match=f"exit code {code}"):
        dead.result(60)
    assert after.result(60) == 9
    one.close()


@pytest.mark.parametrize("end", [leave, interrupt])
def test_what_ends_a_program_is_an_error_like_any_other(kind: Any, end: Any) -> None:
    one = Worker(kind, 30)
    ended, after = one.submit(end), one.submit(square, 3)
    with pytest.raises(WorkerDiedError, match="the extractor raised"):
        ended.result(60)
    assert after.result(60) == 9
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


def test_what_cannot_travel_between_processes_is_said() -> None:
    one = Worker("process", 30)
    with pytest.raises(RuntimeError, match="TwoWordsError: a b"):
        one.submit(fail_with_two_words).result(60)
    with pytest.raises(TypeError, match="pickle"):
        one.submit(unpicklable).result(60)
    with pytest.raises(Exception, match="pickle"):
        one.submit(lambda: 1).result(60)
    assert one.submit(square, 3).result(60) == 9
    one.close()


def test_a_process_serves_many_calls() -> None:
    one = Worker("process", 30)
    assert len({one.submit(who).result(60) for _ in range(10)}) == 1
    one.close()


def test_threads_that_hang_are_counted_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MAX_HUNG", 2)
    monkeypatch.setattr(worker._Thread, "_hung", [])
    one, release = Worker("thread", 0.1), threading.Event()
    for _ in range(2):
        with pytest.raises(ExtractionTimeoutError, match="no result after"):
            one.submit(release.wait, 60).result(60)
    with pytest.raises(ExtractionTimeoutError, match="still hangs on 2 earlier pages"):
        one.submit(square, 3).result(60)
    release.set()
    for thread in worker._Thread._hung:
        thread.join(60)
    assert one.submit(square, 3).result(60) == 9
    one.close()


def test_closing_gives_up_what_has_not_begun(kind: Any) -> None:
    one, entered = Worker(kind, 0), threading.Event()
    running = one.submit(hang, 1)
    running.add_done_callback(lambda _: entered.set())
    waiting = [one.submit(square, 2) for _ in range(5)]
    one.close()
    for future in waiting:
        with pytest.raises(CancelledError):
            future.result(60)
    assert entered.wait(60)


@pytest.mark.parametrize("kind_of_worker", KINDS)
def test_nothing_that_hangs_keeps_a_program_from_ending(kind_of_worker: str) -> None:
    code = (
        "from scrapy_webtext.worker import Worker; from tests.test_worker import hang, square\n"
        f"w = Worker({kind_of_worker!r}, 1); print(w.submit(square, 3).result(60))\n"
        "f = w.submit(hang, 600)\n"
        "try: f.result(60)\n"
        "except Exception as error: print(type(error).__name__)\n"
        "w.submit(hang, 600)\n"
        "import time; time.sleep(.5)\n"
    )
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.split() == ["9", "ExtractionTimeoutError"]
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < 200
