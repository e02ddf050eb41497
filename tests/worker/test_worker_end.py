"""How a worker is closed, and what is left of it."""

import gc
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from scrapy_webtext.errors import ExtractionTimeoutError, WorkerClosedError
from scrapy_webtext.worker import Worker, supervisor
from tests.kits.workload import hang, square
from tests.worker.kinds import KINDS, ended


def working(worker: Worker) -> Worker:
    """The worker, with its thread or process started."""
    assert worker.submit(square, 3).result(60) == 9
    return worker


def test_threads_that_hang_are_counted_and_bounded_for_each_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(supervisor, "MAX_HUNG", 2)
    one, release, before = Worker("thread", 0.1), threading.Event(), set(threading.enumerate())
    for _ in range(2):
        with pytest.raises(ExtractionTimeoutError, match="no result after"):
            one.submit(release.wait, 60).result(60)
    with pytest.raises(ExtractionTimeoutError, match="still hangs on 2 earlier pages"):
        one.submit(square, 3).result(60)
    hung = {thread for thread in threading.enumerate() if thread.name == "webtext-extractor"}
    other = working(Worker("thread", 30))
    release.set()
    for thread in hung - before:
        thread.join(60)
    assert one.submit(square, 3).result(60) == 9
    one.close()
    other.close()


def test_closing_ends_what_waits_and_what_runs(kind: Any) -> None:
    one = working(Worker(kind, 0))
    running, waiting = one.submit(hang, 60), [one.submit(square, 2) for _ in range(5)]
    time.sleep(0.2)
    began = time.monotonic()
    one.close()
    assert [ended(future) for future in [running, *waiting]] == ["WorkerClosedError"] * 6
    assert time.monotonic() - began < 10
    with pytest.raises(WorkerClosedError, match="the worker was closed before"):
        running.result()


def test_a_worker_is_closed_once_and_for_all(kind: Any) -> None:
    one = working(Worker(kind, 30))
    one.close()
    one.close()
    with pytest.raises(WorkerClosedError, match="not begun: the worker is closed"):
        one.submit(square, 3).result(60)
    unused = Worker(kind, 30)
    unused.close()
    assert ended(unused.submit(square, 3)) == "WorkerClosedError"


def test_no_future_is_left_where_threads_submit_while_another_closes(kind: Any) -> None:
    for pause in (0.0, 0.01, 0.3):
        one, futures = Worker(kind, 30), []

        def submit(one: Worker = one, futures: Any = futures) -> None:
            futures.extend(one.submit(square, 3) for _ in range(50))

        threads = [threading.Thread(target=submit) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(pause)
        one.close()
        for thread in threads:
            thread.join()
        assert {ended(future) for future in futures} <= {"9", "WorkerClosedError"}


def test_a_callback_of_a_future_may_do_what_it_likes(kind: Any) -> None:
    one, seen = working(Worker(kind, 30)), threading.Event()

    def close_and_leave(_: Any) -> None:
        one.close()
        seen.set()
        raise SystemExit

    calls = [one.submit(hang, 0.2), one.submit(square, 3)]
    calls[0].add_done_callback(close_and_leave)
    assert [ended(call) for call in calls] == ["None", "WorkerClosedError"]
    assert seen.wait(20)


def threads() -> int:
    return sum(thread.name.startswith("webtext") for thread in threading.enumerate())


def test_a_worker_that_nobody_holds_does_its_calls_and_goes(kind: Any) -> None:
    before = threads()
    assert Worker(kind, 30).submit(square, 3).result(60) == 9
    futures = [Worker(kind, 30).submit(square, 3) for _ in range(3)]
    assert [future.result(60) for future in futures] == [9] * 3
    for _ in range(100):
        gc.collect()
        if threads() <= before:
            break
        time.sleep(0.1)
    assert threads() <= before


@pytest.mark.parametrize("kind_of_worker", KINDS)
def test_nothing_that_hangs_keeps_a_program_from_ending(kind_of_worker: str) -> None:
    code = (
        "from scrapy_webtext.worker import Worker; from tests.kits.workload import hang, square\n"
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
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - began < 60
