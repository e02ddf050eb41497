"""Runs the command, in another process if it fetches or reads a project."""

import io
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from unittest.mock import patch

from scrapy.cmdline import ScrapyArgumentParser
from scrapy.settings import Settings

from scrapy_webtext.command import Command

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}

_UNCHANGED = dict(ENVIRONMENT)
#: Options that need a process: a log, workers, a list of addresses.
_OF_PROCESS = {"-L", "--processes", "--urls"}

COMMAND = [sys.executable, "-m", "scrapy", "webtext"]
Done = subprocess.CompletedProcess[str]


def webtext(*args: str | Path, stdin: str = "", cwd: Path | None = None) -> Done:
    """Run ``scrapy webtext`` with these arguments, in this process if that is possible."""
    fetches = args[:1] == ("crawl",) or any("//" in str(arg) for arg in args)
    has_project = cwd is not None and (cwd / "scrapy.cfg").exists()
    if fetches or has_project or _OF_PROCESS.intersection(args) or ENVIRONMENT != _UNCHANGED:
        return process(args, input=stdin, cwd=cwd)
    return in_process(args, stdin, cwd)


def refused(*args: str | Path, stdin: str = "", cwd: Path | None = None) -> str:
    """Run a command that must fail with one line; return this line."""
    # A crawl is refused before anything is fetched.
    is_crawl = args[:1] == ("crawl",)
    done = in_process(args, stdin, cwd) if is_crawl else webtext(*args, stdin=stdin, cwd=cwd)
    assert done.returncode == 2, done
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


def process(args: Sequence[str | Path], **options: Any) -> Done:
    """Run the command as a shell does; the options are those of ``subprocess.run``."""
    assert "webtext" in entry_points(group="scrapy.commands").names, (
        "the command is not installed: run pip install -e . in the checkout"
    )
    outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    return subprocess.run(
        [*COMMAND, *args], **{**outputs, "timeout": 120, "env": ENVIRONMENT, **options}
    )


def shell(line: str) -> Done:
    """Run a line of bash in which ``webtext`` is the command."""
    line = line.replace("webtext", " ".join(COMMAND), 1)
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=ENVIRONMENT)


def in_process(args: Sequence[str | Path], stdin: str = "", cwd: Path | None = None) -> Done:
    """Run the command as Scrapy does, without its process of crawlers."""
    command, parser = Command(), ScrapyArgumentParser(conflict_handler="resolve")
    command.settings = Settings()
    command.settings.setdict(Command.default_settings, priority="command")
    command.add_options(parser)
    with _streams(stdin) as (out, err), _folder(cwd), warnings.catch_warnings():
        try:
            options, rest = parser.parse_known_args(list(map(str, args)))
            command.process_options(rest, options)
            command.run([], options)
        except SystemExit as end:
            command.exitcode = int(end.code or 0)
        texts = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(args, command.exitcode, *texts)


@contextmanager
def _streams(stdin: str) -> Iterator[list[io.TextIOWrapper]]:
    given = [stdin.encode("utf-8", "surrogateescape"), b"", b""]
    streams = [
        io.TextIOWrapper(io.BytesIO(content), "utf-8", write_through=True) for content in given
    ]
    names = ("stdin", "stdout", "stderr")
    with patch.multiple(sys, **dict(zip(names, streams, strict=True))):
        yield streams[1:]


@contextmanager
def _folder(cwd: Path | None) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(cwd or before)
    try:
        yield
    finally:
        os.chdir(before)
