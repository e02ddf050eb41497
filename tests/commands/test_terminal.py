"""Output to a terminal: no control character of a page, server, file or address; progress."""

import contextlib
import io
import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from scrapy_webtext.files import Progress
from tests.commands import process, refused, webtext

STORY = "The harbour was quiet that morning, and nobody saw the boat leave."
#: A title, a cleared screen, the same with one character of C1, and DEL.
EVIL = "\x1b]0;owned\x07 \x1b[2J \x9b2J \x7f"
#: The rest of them in a text, also on a terminal.
TEXT = "]0;owned [2J ›2J"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(f"<article><p>{STORY}<p>{EVIL} {STORY}</article>", encoding="utf-8")
    return path


def on_terminal(*args: str | Path, stream: str = "stdout") -> str:
    """Run the command with one of its outputs on a terminal; return the output."""
    ours, theirs = pty.openpty()
    outputs = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: theirs}
    done = process(args, stdin=subprocess.DEVNULL, **outputs)
    os.close(theirs)
    content = b""
    with contextlib.suppress(OSError):  # of Linux, at the end
        while part := os.read(ours, 65536):
            content += part
    os.close(ours)
    assert done.returncode in (0, 2)
    return content.decode().replace("\r\n", "\n")


def test_a_pipe_and_a_file_get_the_exact_text_and_a_terminal_escapes(page: Path) -> None:
    text = f"{STORY}\n{TEXT} {STORY}\n"
    assert webtext("extract", page, "--extractor", "pvalue").stdout == text
    webtext("extract", page, "--extractor", "pvalue", "-o", page.with_name("out.txt"))
    assert page.with_name("out.txt").read_bytes().decode() == text
    shown = on_terminal("extract", page, "--extractor", "pvalue")
    assert shown == f"{STORY}\n{TEXT} {STORY}\n"


def test_json_has_no_control_character_on_a_terminal_or_a_pipe(page: Path) -> None:
    piped = webtext("extract", page, "--json", "--extractor", "pvalue").stdout
    assert on_terminal("extract", page, "--json", "--extractor", "pvalue") == piped
    assert piped.removesuffix("\n").isprintable()
    assert TEXT in json.loads(piped)["main_text"]


def test_names_of_files_and_lines_of_lists_are_escaped(tmp_path: Path) -> None:
    evil = tmp_path / "a\x1b[2J\n==> fake <==.html"
    evil.write_text("")
    done = webtext("extract", evil, evil)
    shown = f"{tmp_path}/a\\x1b[2J\\n==> fake <==.html"
    assert done.stdout == f"==> {shown} <==\n\n\n" * 2
    assert done.stderr == f"{shown}: no main text found\n" * 2
    assert r"\x1b[2J" in on_terminal("extract", evil, evil, stream="stderr")
    (tmp_path / "list").write_text("http://127.0.0.1:1/\n\x1b[2J\u202efile:///etc/passwd\n")
    line = refused("extract", "--urls", tmp_path / "list")
    assert rf"Line 2 of {tmp_path}/list is no http or https address: \x1b[2J\u202efile" in line


def test_refusals_are_escaped_and_bounded(tmp_path: Path) -> None:
    for args in (
        ("extract", "http://127.0.0.1:1/\x1b[2J\u202e\nx"),
        ("extract", "--\x1b[2J"),
        ("extract", "no\x1b[2J"),
        ("ex\x1b[2J",),
        ("extract", "--extractor", "a\x1b[2J", "-"),
    ):
        line = refused(*args)
        assert r"\x1b[2J" in line
        assert line.isprintable()
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"html": "<p>x", "text": ["x"] * 100_000}))
    assert len(refused("evaluate", tmp_path / "corpus.jsonl")) < 2500


def test_an_evaluation_shows_ids_and_errors_escaped(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"html": "<p>x", "text": "x", "id": "\x1b[2J\nid"}))
    failing = ("--extractor", "tests.crawls.faulty.Failing", "--measures", "overlap")
    shown = on_terminal("evaluate", corpus, *failing)
    assert r"tests.crawls.faulty.Failing on \x1b[2J\nid: ZeroDivisionError" in shown
    assert "\x1b" not in shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(stream: io.StringIO, total: int, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    progress = Progress(total)
    progress.step()
    progress.say("hel\x1blo")
    progress.close()
    return stream.getvalue()


def test_a_terminal_sees_the_bar_and_lines_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tqdm")
    text = drawn(Terminal(), 3, monkeypatch)
    assert "0/3" in text
    assert "hel\\x1blo\n" in text
    assert text.endswith("\r")


def test_a_file_gets_a_line_after_some_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_webtext.files.PAUSE", 0)
    assert drawn(io.StringIO(), 3, monkeypatch) == "1 pages\nhel\\x1blo\n"


@pytest.mark.parametrize(("stream", "total"), [(io.StringIO(), 3), (Terminal(), 1)])
def test_a_file_and_a_single_page_have_no_bar(
    stream: io.StringIO, total: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert drawn(stream, total, monkeypatch) == "hel\\x1blo\n"
