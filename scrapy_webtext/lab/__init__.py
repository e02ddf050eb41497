"""Tools that read labelled pages, train models, score extractors and draw reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any, NamedTuple

from scrapy_webtext.errors import import_extra


@cache
def _environment() -> Any:
    jinja2 = import_extra("jinja2", "This command", "lab")
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(resource),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["finite"] = isfinite
    return environment


def render_template(name: str, **values: Any) -> str:
    """Fill a template file of this package; raise MissingExtraError if jinja2 is missing."""
    return str(_environment().get_template(name).render(**values))


@cache
def _compiled(source: str) -> Any:
    return _environment().from_string(source)


def render_source(source: str, **values: Any) -> str:
    """Fill a template given as text; raise MissingExtraError if jinja2 is missing."""
    return str(_compiled(source).render(**values))


@cache
def resource(name: str) -> str:
    """Return the text of a file in this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


# Tables in aligned Markdown, which can also be read in a terminal


class Table(NamedTuple):
    """A table; ``str`` gives Markdown with the first column to the left, others to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows, strict=True)]
        rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
        first, *others = widths
        line = " | ".join([f"| {{:<{first}}}", *(f"{{:>{width}}}" for width in others)]) + " |"
        return "\n".join(line.format(*cells) for cells in (self.head, rule, *self.rows))


def table_of(columns: Mapping[str, str], summaries: Iterable[Mapping[str, Any]]) -> Table:
    """Return a table that has a row for each summary; ``columns`` maps a heading to a format."""
    rows = [[form.format_map(one) for form in columns.values()] for one in summaries]
    return Table(list(columns), rows)
