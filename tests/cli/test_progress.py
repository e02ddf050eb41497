"""The progress bar: drawn on a terminal only."""

import io

from scrapy_webtext.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_the_bar_grow_to_the_end() -> None:
    terminal = Terminal()
    progress = Progress(3, stream=terminal)
    for _ in range(3):
        progress.step()
    assert "[##########....................] 1/3 pages" in terminal.getvalue()
    assert "[##############################] 3/3 pages" in terminal.getvalue()
    progress.clear()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_line_is_printed_above_the_bar_and_into_a_file() -> None:
    for stream, total, expected in (
        (Terminal(), 3, "\r\x1b[Khello\n"),
        (io.StringIO(), 3, "hello\n"),
        (Terminal(), 1, "hello\n"),  # one page needs no bar
    ):
        progress = Progress(total, stream=stream)
        progress.say("hello")
        progress.clear()
        assert stream.getvalue().startswith(expected)
    stream = io.StringIO()
    Progress(3, stream=stream).step()
    assert stream.getvalue() == ""
