"""Processes that die, hang or are left behind."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.errors import ExtractionTimeoutError, WorkerDiedError
from scrapy_webtext.worker import Worker
from tests.kits import workload
from tests.kits.workload import echo, square, who


def is_gone(pid: int) -> bool:
    """Whether a process ended; one that nobody has waited for yet counts."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def becomes(true: Callable[[], bool], seconds: float = 20) -> bool:
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("code", [0, 1, 77])
def test_a_process_that_dies_costs_its_call_and_no_other(one: Worker, code: int) -> None:
    dead, after = one.submit(workload.die, code), one.submit(square, 3)
    with pytest.raises(WorkerDiedError, match=f"exit code {code}"):
        dead.result(60)
    assert after.result(60) == 9


def test_a_crash_is_named(one: Worker) -> None:
    with pytest.raises(WorkerDiedError, match="ended by SIGSEGV"):
        one.submit(workload.crash).result(60)


def test_a_process_that_dies_between_two_calls_costs_neither(one: Worker) -> None:
    for _ in range(3):
        pid = one.submit(who).result(60)
        os.kill(pid, signal.SIGKILL)
        assert one.submit(who).result(60) != pid


def test_what_kills_its_process_before_it_begins_does_so_twice_at_most(one: Worker) -> None:
    with pytest.raises(WorkerDiedError, match="exit code 5 before the call began, as did one"):
        one.submit(echo, workload.Unreadable("die", os.getpid())).result(60)
    with pytest.raises(WorkerDiedError, match="exit code 6 before the call began, as did one"):
        one.submit(square, 3, setup=Dying(6)).result(60)
    assert one.submit(square, 3).result(60) == 9


class Dying:
    def __init__(self, code: int) -> None:
        self.code = code

    def __call__(self) -> None:
        os._exit(self.code)


def test_what_stops_a_program_is_for_the_crawler(one: Worker) -> None:
    pid = one.submit(workload.want_signals).result(60)
    running = one.submit(workload.hang, 1)
    time.sleep(0.3)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, number)
    assert running.result(60) is None
    assert one.submit(who).result(60) == pid


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (workload.close_all_files, "exit code 1"),
        (workload.fork_and_die, "exit code 3"),
        (workload.fork_unheard_and_die, "exit code 4"),
        (workload.end_the_group, "ended by SIGKILL"),
    ],
)
def test_whatever_it_does_to_its_process_costs_one_call(
    one: Worker, function: Any, message: str
) -> None:
    with pytest.raises(WorkerDiedError, match=message):
        one.submit(function).result(60)
    assert one.submit(square, 3).result(60) == 9


@pytest.mark.parametrize("function", [workload.stop, workload.backtrack])
def test_a_process_that_cannot_be_asked_is_killed(function: Any) -> None:
    one = Worker("process", 1)
    with pytest.raises(ExtractionTimeoutError):
        one.submit(function).result(60)
    assert one.submit(square, 3).result(60) == 9
    one.close()


def test_a_fork_that_returns_gives_no_second_answer(one: Worker) -> None:
    pid = one.submit(who).result(60)
    assert [one.submit(workload.fork_and_return).result(60) for _ in range(3)] == [pid] * 3
    assert [one.submit(square, n).result(60) for n in range(5)] == [n * n for n in range(5)]


def test_programs_of_a_call_that_hangs_end_with_it(tmp_path: Path) -> None:
    one, pid_file = Worker("process", 1), tmp_path / "pid"
    with pytest.raises(ExtractionTimeoutError):
        one.submit(workload.run_a_program, str(pid_file)).result(60)
    assert becomes(lambda: is_gone(int(pid_file.read_text())))
    one.close()


CRAWLER = """
import sys, time
from scrapy_webtext.worker import Worker
from tests.kits import workload
one = Worker("process", 0)
print(one.submit(workload.who).result(60), flush=True)
one.submit(getattr(workload, sys.argv[1]), *map(int, sys.argv[2:]))
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("hanging", "has_ctypes"), [("hang 600", True), ("hang 600", False), ("backtrack", True)]
)
def test_a_process_that_hangs_ends_with_a_crawler_that_is_killed(
    hanging: str, has_ctypes: bool, tmp_path: Path
) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    if not has_ctypes:  # as where the kernel cannot be told
        (tmp_path / "ctypes.py").write_text("CDLL = c_int = POINTER = None\n")
    crawler = subprocess.Popen(
        [sys.executable, "-c", CRAWLER, *hanging.split()],
        stdout=subprocess.PIPE, text=True, env=env,
    )  # fmt: skip
    assert crawler.stdout
    pid = int(crawler.stdout.readline())
    time.sleep(0.5)
    assert not is_gone(pid)
    crawler.kill()
    crawler.communicate(timeout=60)
    assert becomes(lambda: is_gone(pid))


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def is_quiet() -> bool:
    """Whether no worker process is there, dead or alive, and no thread that talks to one."""
    gc.collect()  # those of other tests
    listed = subprocess.run(
        ["ps", "--ppid", str(os.getpid()), "-o", "args="],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    names = {thread.name for thread in threading.enumerate()}
    return (
        not names & {"webtext", "webtext-channel"}
        and "serve" not in listed.stdout
        and "defunct" not in listed.stdout
    )


@pytest.mark.parametrize("way", ["idle", "running", "hung thread in it", "never asked"])
def test_workers_that_are_closed_leave_nothing(way: str) -> None:
    assert becomes(is_quiet)
    files = open_files()
    for _ in range(5 if way == "hung thread in it" else 20):
        one = Worker("process", 30)
        if way == "hung thread in it":
            one.submit(workload.leave_a_thread).result(60)
        elif way != "never asked":
            one.submit(square, 3).result(60)
        if way == "running":
            one.submit(workload.hang, 600)
        one.close()
    assert becomes(is_quiet)
    assert open_files() == files


def test_closing_lets_a_process_leave_in_order(tmp_path: Path) -> None:
    one, left = Worker("process", 30), tmp_path / "left"
    one.submit(eval, f"__import__('atexit').register(open, {str(left)!r}, 'w')").result(60)
    one.close()
    assert becomes(left.exists)
