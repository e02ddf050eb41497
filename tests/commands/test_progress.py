"""The progress bar is drawn only on a terminal."""

import io

import pytest

from scrapy_webtext.files import Progress


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
