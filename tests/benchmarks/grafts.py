"""Measures which structures between two paragraphs a system keeps.

    python -m tests.benchmarks.grafts CORPUS... --systems fusion trafilatura --every 7

prints per kind the share of content that is whole in the text (each line of it, in order, between
the two paragraphs, without white space and markers), of content in its Markdown form, and of
boilerplate kept out (at most 20 % of its words in the text). `training.grafts` makes the pages.
"""

from __future__ import annotations

import argparse
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from statistics import fmean
from typing import Any, Final

from scrapy_webtext.errors import import_extra
from scrapy_webtext.lab import Table
from scrapy_webtext.lab.corpus import LabelledPage, corpus_path, read_corpora, tokens
from scrapy_webtext.lab.evaluation import make_system
from scrapy_webtext.page import parse
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import DEFAULT_JUDGE, PEERS, make_judge
from training.grafts import BOILERPLATE, CONTENT, KEY, TEST, Graft, find_place, graft, letters_of

#: Kinds that may be only in Markdown: captions of pictures are not in the plain text of `fusion`.
CAPTIONS: Final = ("figure with caption", "caption without figure", "caption with a link")
#: Boilerplate is kept out if at most this share of its words is in the text.
MOST_KEPT: Final = 0.2


def has_place(labelled: LabelledPage) -> bool:
    """Return whether a page has a place for a structure of the part ``test``."""
    return find_place(labelled, Random(0), TEST) is not None


_TITLE_END: Final = re.compile(r"\s[|–—·-]\s")


def titles_of(pages: Iterable[LabelledPage]) -> list[tuple[str, str]]:
    """Return titles, without the site's name, and addresses of pages, for related links."""
    titles = ((_TITLE_END.split(parse(page.html).title)[0], page.url or "") for page in pages)
    return [(title, url) for title, url in titles if title]


def grafts(
    pages: Sequence[LabelledPage], kinds: int | None = None, part: str = TEST
) -> Iterator[Graft]:
    """Yield each page that has a place, with a structure of each kind.

    With fewer ``kinds`` per page, the next page has the next kinds.
    """
    pool = titles_of(pages)
    every = [*CONTENT, *BOILERPLATE]
    turn = 0
    for page in pages:
        found = [
            graft(page, Random(f"{page.id}:{kind}"), part=part, kind=kind, pool=pool)
            for kind in (every * 2)[turn : turn + (kinds or len(every))]
        ]
        yield from filter(None, found)
        if any(found):
            turn = (turn + (kinds or 0)) % len(every)


#: From HTML and address to a text, and to its Markdown if the system has one.
_Read = Callable[[str, str | None], tuple[str, str | None]]


def _reader_of(name: str) -> _Read:
    """Return the function that reads a page by a system (`make_system`)."""
    system = make_system(name)
    if name == "trafilatura":
        call = import_extra("trafilatura", "The extractor 'trafilatura'", "").extract
        how: dict[str, Any] = {"include_comments": False, "output_format": "markdown"}
        return lambda html, url: (system.text(html, url), call(html, **how) or "")
    if system.extractor is None or name in PEERS:
        return lambda html, url: (system.text(html, url), None)
    reader = PageReader(system.extractor, make_judge(DEFAULT_JUDGE), fields=("main_markdown",))

    def read(html: str, url: str | None) -> tuple[str, str | None]:
        found = reader.result(reader.page(html, url=url))
        return found.main_text, found.main_markdown

    return read


_FORM: Final = ", form"
_COMMAND: Final = re.compile(r"\\[a-zA-Z]+")
_MARKS: Final = re.compile(r"(?:\[\d+\])+$")  #: of notes; plain text has none
_TARGET: Final = re.compile(r"!\[[^\[\]]*\]\([^()]*\)|(?<=\])\([^()]*\)")
_MARKERS: Final = {
    "table": re.compile(r"^[ >]*\|"),
    "item": re.compile(r"^[ >]*([-*+]|\d+[.)]|\[\^.+\]:)\s"),
    "quote": re.compile(r"^\s*>"),
    "code": re.compile("```"),
    "heading": re.compile(r"^[ >]*#"),
}


def _letters(one: Graft, text: str) -> str:
    """Return the letters and digits of a text; for a formula without LaTeX's commands."""
    text = _MARKS.sub("", text)
    return letters_of(_COMMAND.sub("", text) if one.kind == "formula" else text)


def count_found(one: Graft, text: str) -> tuple[int, int]:
    """Return how many words a structure has, and how many are in a text.

    Words count by whole lines, in their order, between the paragraphs before and after if the text
    has them.
    """
    letters = _letters(one, text)
    start = letters.find(one.place.before[-KEY:])
    start = start + len(one.place.before[-KEY:]) if start >= 0 else 0
    end = letters.find(one.place.after, start)
    found = 0
    for line in one.lines:
        wanted = _letters(one, line.text)
        place = letters.find(wanted, start, end if end >= 0 else len(letters))
        if place >= 0:
            start = place + len(wanted)
            found += len(tokens(line.text))
    return sum(len(tokens(line.text)) for line in one.lines), found


def has_form(one: Graft, markdown: str) -> bool:
    """Return whether Markdown has each line of a structure, in its form and at its place."""
    rows: list[tuple[str, str]] = []
    is_fenced = False
    for row in markdown.split("\n"):
        if row.lstrip("> ").startswith(("```", "~~~")):
            is_fenced = not is_fenced
        rows.append(("```" if is_fenced else row, _letters(one, _TARGET.sub("", row))))
    starts = (k for k, (_, row) in enumerate(rows) if row.endswith(one.place.before[-KEY:]))
    start = next(starts, -1) + 1
    ends = (k for k in range(start, len(rows)) if rows[k][1].startswith(one.place.after))
    end = len(rows) if one.kind == "footnotes" else next(ends, len(rows))  # they are at the end
    rows = rows[start:end]
    return all(
        any(
            _letters(one, line.text) in letters
            and (not line.form or _MARKERS[line.form].match(row) is not None)
            for row, letters in rows
        )
        for line in one.lines
    )


def measure(some: Iterable[Graft], systems: Sequence[str]) -> dict[str, dict[str, list[float]]]:
    """Return for each system the marks of each kind, 0 or 1 per page.

    Content is whole or not, and has its form in Markdown or not (the kind with ", form");
    boilerplate is kept out or not. A page on which a system fails counts 0.
    """
    readers = {name: _reader_of(name) for name in systems}
    marks: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in systems}
    for one in some:
        for name, read in readers.items():
            text, markdown = read(one.page.html, one.page.url)
            words, found = count_found(one, text)
            if one.kind in CAPTIONS and markdown is not None:
                found = max(found, count_found(one, _TARGET.sub("", markdown))[1])
            if one.kind not in CONTENT:
                marks[name][one.kind].append(found <= MOST_KEPT * words)
                continue
            marks[name][one.kind].append(found == words)
            if markdown is not None:
                marks[name][one.kind + _FORM].append(has_form(one, markdown))
    return marks


def mean_marks(marks: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the mean mark of each kind of a system, and of "content", "form" and "kept out"."""
    forms = [kind for kind in marks if kind.endswith(_FORM)]
    groups = {"content": CONTENT, "form": forms, "kept out": BOILERPLATE}
    means = {kind: fmean(some) for kind, some in marks.items()}
    found = {
        group: [means[kind] for kind in kinds if kind in means] for group, kinds in groups.items()
    }
    return {group: fmean(some) for group, some in found.items() if some} | means


def report(marks: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Return a Markdown table of the mean marks: a column per system, a row per kind."""
    means = [mean_marks(own) for own in marks.values()]
    kinds = dict.fromkeys(kind for own in means for kind in own)
    rows = [[kind, *(f"{own[kind]:.3f}" if kind in own else "" for own in means)] for kind in kinds]
    return str(Table(["kind", *marks], rows))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table for some corpora."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.grafts")
    parser.add_argument("corpora", nargs="+", metavar="CORPUS")
    parser.add_argument("--systems", nargs="+", default=["fusion"])
    parser.add_argument("--every", type=int, default=1, help="of the pages, take each n-th")
    parser.add_argument("--pages", type=int, default=64, help="take at most n articles")
    parser.add_argument("--kinds", type=int, help="put n kinds into a page, other ones in the next")
    given = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)  # of other systems
    pages = islice(read_corpora(map(corpus_path, given.corpora)), None, None, given.every)
    articles = (page for page in pages if page.type in ("", "article") and page.text)
    taken = list(islice(filter(has_place, articles), given.pages))
    print(report(measure(grafts(taken, given.kinds), given.systems)))


if __name__ == "__main__":
    main()
