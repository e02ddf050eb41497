"""What a worker's process is, and what it takes and refuses."""

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.errors import WorkerDiedError
from scrapy_webtext.worker import Worker, channel
from tests.kits import workload
from tests.kits.workload import echo, square, who


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
