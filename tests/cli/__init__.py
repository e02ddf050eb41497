"""Runs the command: in this process, or in one of its own where it fetches or reads a project."""

import io
import logging
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from unittest.mock import patch

from scrapy.cmdline import ScrapyArgumentParser
from scrapy.settings import Settings

from scrapy_webtext.command import Command

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}

_UNCHANGED = dict(ENVIRONMENT)
#: What needs a process: its log, its workers, a list of addresses.
_OF_PROCESS = {"-L", "--processes", "--urls"}

Done = subprocess.CompletedProcess[str]


def webtext(*args: str | Path, stdin: str = "", cwd: Path | None = None) -> Done:
    """Run ``scrapy webtext`` with these arguments."""
    fetches = args[:1] == ("crawl",) or any("//" in str(arg) for arg in args)
    has_project = cwd is not None and (cwd / "scrapy.cfg").exists()
    is_own = fetches or has_project or _OF_PROCESS.intersection(args) or ENVIRONMENT != _UNCHANGED
    return (process if is_own else in_process)([str(arg) for arg in args], stdin, cwd)


def refused(*args: str | Path, stdin: str = "", cwd: Path | None = None) -> str:
    """Run what must be refused; return the one line that says why."""
    if args[:1] == ("crawl",):  # before anything is fetched
        done = in_process([str(arg) for arg in args], stdin, cwd)
    else:
        done = webtext(*args, stdin=stdin, cwd=cwd)
    assert done.returncode == 2, done
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def process(args: list[str], stdin: str, cwd: Path | None) -> Done:
    """Run the command as a shell does."""
    assert "webtext" in entry_points(group="scrapy.commands").names, (
        "the command is not installed: run pip install -e . in the checkout"
    )
    return subprocess.run(
        [sys.executable, "-m", "scrapy", "webtext", *args],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        cwd=cwd,
        env=ENVIRONMENT,
        check=False,
    )


def in_process(args: list[str], stdin: str, cwd: Path | None) -> Done:
    """Run the command as Scrapy does, without its process of crawlers."""
    command, parser = Command(), ScrapyArgumentParser(conflict_handler="resolve")
    command.settings = Settings()
    command.settings.setdict(Command.default_settings, priority="command")
    command.add_options(parser)
    with _streams(stdin) as (out, err), _folder(cwd), warnings.catch_warnings():
        try:
            options, rest = parser.parse_known_args(args)
            command.process_options(rest, options)
            command.run([], options)
        except SystemExit as end:
            command.exitcode = int(end.code or 0)
        finally:
            logging.disable(logging.NOTSET)
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
