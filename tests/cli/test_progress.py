"""The progress bar: there for somebody who watches, silent else."""

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


def test_a_line_is_said_above_the_bar() -> None:
    terminal = Terminal()
    Progress(3, stream=terminal).say("hello")
    assert terminal.getvalue() == "\r\x1b[Khello\n"


def test_a_file_sees_nothing_but_the_lines() -> None:
    stream = io.StringIO()
    progress = Progress(3, stream=stream)
    progress.step()
    progress.say("hello")
    progress.clear()
    assert stream.getvalue() == "hello\n"


def test_one_page_needs_no_bar() -> None:
    terminal = Terminal()
    progress = Progress(1, stream=terminal)
    progress.step()
    progress.clear()
    assert terminal.getvalue() == ""
