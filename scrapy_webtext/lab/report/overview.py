"""The scores of an evaluation as an HTML page that links to the reports of single pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrapy_webtext.lab.report.document import environment, resource


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is shown: the first column are names."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page with its scores and where its report lies, relative to the overview."""

    href: str
    id: str
    address: str
    type: str
    scores: Sequence[float]  #: in [0, 1], one per extractor


@dataclass(frozen=True, slots=True)
class Section:
    """One corpus: its tables, and some of its pages, the worst by the first of the extractors."""

    title: str
    tables: Sequence[Table]
    extractors: Sequence[str] = ()
    worst: Sequence[PageLink] = ()
    pages_title: str = ""  #: what the pages are, if not the worst


def render_overview(sections: Sequence[Section]) -> str:
    """Return the HTML; everything in it is escaped and it runs no script."""
    return (
        environment()
        .get_template("overview.html")
        .render(sections=sections, style=resource("report.css"), own_style=resource("overview.css"))
    )
