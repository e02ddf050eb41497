"""Tools that read labelled pages, score extractors and draw reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any, NamedTuple

from scrapy_webtext.errors import import_extra


@cache
def environment(load: Callable[[str], str]) -> Any:
    """Return an environment of jinja2 that loads templates with a function.

    Raise MissingExtraError if jinja2 is missing.
    """
    jinja2 = import_extra("jinja2", "This command", "lab")
    found = jinja2.Environment(
        loader=jinja2.FunctionLoader(load),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.tests["finite"] = isfinite
    return found


@cache
def resource(name: str) -> str:
    """Return the text of a file in this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def render_template(name: str, **values: Any) -> str:
    """Fill a template file of this package; raise MissingExtraError if jinja2 is missing."""
    return str(environment(resource).get_template(name).render(**values))


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
