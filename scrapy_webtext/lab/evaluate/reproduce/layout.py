"""What a reproduction is made of: the tables of a paper, its example page, rows by source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.evaluate.metrics import Unit
from scrapy_webtext.lab.evaluate.tables import Cells, table

#: Sources (sites) of a corpus that have a row of their own.
MOST_SOURCES = 10

#: The row of all pages together.
ALL = "all"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table or the numbers of a figure, in the layout of the paper."""

    title: str  #: with its number in the paper
    cells: Cells
    note: str = ""  #: what is not as in the paper

    def __str__(self) -> str:
        note = f"\n\n{self.note}" if self.note else ""
        return f"## {self.title}\n\n{table(*self.cells)}{note}"


@dataclass(frozen=True, slots=True)
class Corpus:
    """The labelled pages that a paper is reproduced on, held while it is."""

    name: str
    pages: Sequence[LabelledPage]

    @property
    def labelled(self) -> list[LabelledPage]:
        """The pages with a gold text."""
        return [page for page in self.pages if page.text.strip()]

    @property
    def example(self) -> LabelledPage | None:
        """The first article, or page of no type; None where there is none."""
        articles = (page for page in self.labelled if page.type in ("", "article"))
        return next(articles, None)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What is printed of one paper on one corpus."""

    paper: str
    corpus: str
    pages: int
    tables: tuple[PaperTable, ...]
    example: LabelledPage | None = None  #: the page that stands for the one of the figures

    def __str__(self) -> str:
        head = f"# {self.paper} on {self.corpus}: {self.pages} pages with a gold text"
        return "\n\n".join([head, *map(str, self.tables)]) + "\n"


def by_source(pages: Sequence[LabelledPage], values: Sequence[T]) -> Mapping[str, list[T]]:
    """Return the values of pages by their site, those of the sites with most pages, then all.

    A site needs two pages for a row of its own. Of equally many pages the first comes first.
    """
    counts = Counter(page.domain for page in pages)
    names = [name for name, count in counts.most_common(MOST_SOURCES) if count > 1]
    found: dict[str, list[T]] = {name: [] for name in names if len(counts) > 1}
    for page, value in zip(pages, values, strict=True):
        if page.domain in found:
            found[page.domain].append(value)
    return {**found, ALL: list(values)}


def counted_by(unit: Unit) -> str:
    """Return by what precision and recall are counted, as a sentence."""
    return "By words." if unit == "words" else "By 4-character shingles."


def percent(value: float) -> str:
    """Return a share as the papers write them."""
    return f"{100 * value:.2f} %"
