"""Measures what systems leave out of reference pages that nothing was trained on.

    python -m tests.benchmarks.manuals --root FOLDER --systems fusion trafilatura

prints per system the share of characters missing, the pages that lack a tenth of their text, and
the terms (``<dt>``), lines of code and table cells that are lost. ``FOLDER`` has Debian's packages
unpacked; `training.manuals` makes the rows. A line counts as missing by its words that the text has
not in the same order.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from lxml import html

from scrapy_webtext.lab import Table
from scrapy_webtext.lab.corpus import match_words
from scrapy_webtext.lab.evaluation import make_system
from training.grafts import letters_of
from training.manuals import Manual, container, gold_text, read_manual

#: Packages that `training.manuals` does not have: other generators, and other themes.
MANUALS: Final = (
    Manual("git-doc", "doc/git-doc/*.html", "#content", "", 10),
    Manual("sqlite3-doc", "doc/sqlite3/*.html", "body", ".nosearch, .toc_sub, .toc", 10),
    Manual("python3.11-doc", "doc/python3.11/html/library/*.html", ".body", ".headerlink", 10),
    Manual(
        "postgresql-doc-15",
        "doc/postgresql-doc-15/html/*.html",
        "body",
        ".navheader, .navfooter, .toc",
        10,
    ),
    Manual("octave-doc", "doc/octave/octave.html/*.html", "body", ".header", 10),
    Manual("nodejs-doc", "doc/nodejs/api/*.html", "#apicontent", ".mark", 10),
    Manual("apache2-doc", "doc/apache2-doc/manual/en/*/*.html", "#page-content", "#quickview", 10),
    Manual("exim4-doc-html", "doc/exim4-doc-html/spec_html/*.html", "#chapter", "", 5),
    Manual("postfix-doc", "doc/postfix/html/*.html", "body", "", 5),
)
#: A page lacks a tenth if less than this share of its characters is in the text.
MOST: Final = 0.9
#: Terms, lines and cells with fewer letters are not counted.
LEAST_LETTERS: Final = 3


class Left(NamedTuple):
    """What a system leaves out of a page."""

    missing: float  #: characters
    chars: int
    lost: int  #: terms, lines of code and table cells
    short: int


def main() -> None:
    """Print a table with a row for each system."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", default="/", help="folder of unpacked packages (/)")
    parser.add_argument("--systems", nargs="+", default=["fusion"])
    options = parser.parse_args()
    share = Path(options.root, "usr/share")
    rows = [(manual, row) for manual in MANUALS for row in read_manual(manual, share)]
    lines = []
    for name in options.systems:
        system = make_system(name)
        found = [
            left_out(manual, row["html"], system.text(row["html"], None)) for manual, row in rows
        ]
        lines.append([name, *summary(found)])
    head = ["system", "pages", "missing", "lack a tenth", "terms, lines, cells lost", "of"]
    print(Table(head, lines))


def left_out(manual: Manual, page: str, text: str) -> Left:
    """Compare the text that a system found on a page with the text of its container."""
    gold = gold_text(page.encode(), manual.within, manual.without).split("\n")
    matches = match_words(gold, text)
    missing = sum(
        len(line) * (1 - match.share)
        for line, match in zip(gold, matches, strict=True)
        if match.words
    )
    letters = letters_of(text)
    short = short_lines(manual, page)
    lost = sum(line not in letters for line in short)
    return Left(missing, sum(map(len, gold)), lost, len(short))


def short_lines(manual: Manual, page: str) -> list[str]:
    """Return the letters of a page's terms, lines of code and table cells."""
    root = container(page.encode(), manual.within, manual.without)
    return [] if root is None else [line for line in _short(root) if len(line) >= LEAST_LETTERS]


def _short(root: html.HtmlElement) -> Iterator[str]:
    cells = (e.text_content() for e in root.iter("dt", "td", "th"))
    lines = (e.text_content().split("\n") for e in root.iter("pre"))
    return map(letters_of, chain(cells, *lines))


def summary(found: Sequence[Left]) -> list[str]:
    """Return the cells of a system's row."""
    chars = sum(one.chars for one in found) or 1
    lacking = sum(one.missing > (1 - MOST) * one.chars for one in found)
    counts = (sum(one.lost for one in found), sum(one.short for one in found))
    missing = sum(one.missing for one in found) / chars
    return [str(len(found)), f"{missing:.4f}", str(lacking), *map(str, counts)]


if __name__ == "__main__":
    main()
