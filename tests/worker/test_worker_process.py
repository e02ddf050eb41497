"""The worker process: how it starts and ends, what it knows, and what user code can do to it."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.errors import ExtractionTimeoutError, WorkerDiedError
from scrapy_webtext.worker import Worker, channel
from tests.kits import workload
from tests.kits.workload import echo, square, who


@pytest.fixture
def one() -> Iterator[Worker]:
    worker = Worker("process", 30)
    yield worker
    worker.close()


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


def run(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True, text=True, timeout=120, check=False, **options,
    )  # fmt: skip


def test_a_process_serves_many_calls(one: Worker) -> None:
    assert len({one.submit(who).result(60) for _ in range(10)}) == 1


def test_a_script_is_not_run_again_by_its_worker(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "print('begun')\n"
        "from scrapy_webtext.worker import Worker\n"
        "print(Worker('process', 30).submit(divmod, 7, 2).result(60))\n"
    )
    done = run(str(script), env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert (done.stdout.split("\n"), done.stderr) == (["begun", "(3, 1)", ""], "")


def test_what_is_defined_in_the_script_is_refused_with_the_repair(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from scrapy_webtext.worker import Worker\n"
        "from tests.kits.workload import echo\n"
        "class Own: pass\n"
        "def call(): pass\n"
        "one = Worker('process', 30)\n"
        "for error in (one.submit(echo, Own()), one.submit(call), one.submit(echo, Own)):\n"
        "    print(repr(error.exception(60)))\n"
        "print(one.submit(echo, 'in the text: __main__').result(60))\n"
        'print(one.submit(eval, \'getattr(__import__("__main__"), "Own")\').exception(60))\n'
    )
    done = run(str(script), env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    lines = done.stdout.split("\n")
    for line, name in zip(lines, ("Own", "call", "Own"), strict=False):
        assert line.startswith(f"SettingsError('{name} is defined in __main__ ({script})"), line
        assert "move it into a module" in line
    assert lines[3] == "in the text: __main__"
    assert "its __main__ has no 'Own': move it into a module" in lines[4]


def test_a_process_that_may_have_no_children_has_a_worker_all_the_same() -> None:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    daemon = context.Process(target=workload.in_a_process_of_its_own, args=(queue,), daemon=True)
    daemon.start()
    assert queue.get(timeout=60) == 9
    daemon.join(60)
    assert daemon.exitcode == 0


def test_a_process_starts_without_scrapy(one: Worker) -> None:
    found = one.submit(workload.modules).result(60)
    assert not found & {"scrapy", "twisted", "lxml", "numpy", "scrapy_webtext.page"}


def test_a_process_has_the_modules_and_the_folder_of_the_crawler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: Worker
) -> None:
    (tmp_path / "of_this_project.py").write_text("def which(): return 'this'\n")
    (tmp_path / "queue.py").write_text("raise RuntimeError('not the one of Python')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    import of_this_project  # type: ignore[import-not-found]

    assert one.submit(of_this_project.which).result(60) == "this"
    assert one.submit(os.getcwd).result(60) == str(tmp_path)
    assert one.submit(eval, "__import__('sys').argv").result(60) == ["-c"]


def test_what_is_printed_goes_to_stderr(one: Worker, capfd: pytest.CaptureFixture[str]) -> None:
    assert one.submit(workload.talk).result(60) == "end of input"
    assert one.submit(square, 3).result(60) == 9
    printed, errors = capfd.readouterr()
    assert printed == ""
    assert sorted(errors.split("\n")) == ["", "of a program", "of print", "of the system"]


def test_without_an_interpreter_the_repair_is_said(
    one: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(WorkerDiedError, match='use the executor "thread"'):
        one.submit(square, 3).result(60)
    monkeypatch.setattr(sys, "executable", "/no/python")
    with pytest.raises(WorkerDiedError, match="cannot be started"):
        one.submit(square, 3).result(60)


def test_what_cannot_travel_between_processes_is_said(one: Worker) -> None:
    with pytest.raises(RuntimeError, match="TwoWordsError: a b"):
        one.submit(workload.fail_with_two_words).result(60)
    with pytest.raises(RuntimeError, match="TextError: x"):
        one.submit(workload.fail_with_a_text).result(60)
    with pytest.raises(TypeError, match="pickle"):
        one.submit(workload.unpicklable).result(60)
    with pytest.raises(Exception, match=r"pickle|local object"):
        one.submit(lambda: 1).result(60)
    for how, said in (("raise", "ValueError: cannot be read"), ("exit", "SystemExit: 3")):
        with pytest.raises(RuntimeError, match=rf"the crawler cannot read .*: {said}"):
            one.submit(workload.unreadable, how).result(60)
    with pytest.raises(ValueError, match="cannot be read"):
        one.submit(echo, workload.Unreadable("raise", os.getpid())).result(60)
    with pytest.raises(WorkerDiedError, match="SystemExit"):
        one.submit(echo, workload.Unreadable("exit", os.getpid())).result(60)
    assert one.submit(square, 3).result(60) == 9


def test_what_is_too_large_is_not_sent(one: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"a result of 256,000,0\d\d bytes is too"):
        one.submit(bytes, channel.MAX_BYTES).result(60)
    assert len(one.submit(bytes, 10_000_000).result(60)) == 10_000_000
    monkeypatch.setattr(channel, "MAX_BYTES", 1000)
    with pytest.raises(ValueError, match=r"a call of 1,\d\d\d bytes is too"):
        one.submit(len, bytes(1000)).result(60)


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
