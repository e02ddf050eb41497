"""Tables in aligned Markdown, which is readable in a terminal, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple


class Table(NamedTuple):
    """The cells of a table, the title above it and the note below it."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    note: str = ""

    def __str__(self) -> str:
        title = f"## {self.title}" if self.title else ""
        return "\n\n".join(filter(None, [title, table(self.head, self.rows), self.note]))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    first, *others = widths
    line = " | ".join([f"| {{:<{first}}}", *(f"{{:>{width}}}" for width in others)]) + " |"
    return "\n".join(line.format(*cells) for cells in (head, rule, *rows))


def percent(value: float) -> str:
    """Return a share in per cent, as the papers write it."""
    return f"{100 * value:.2f} %"


def table_of(columns: Mapping[str, str], summaries: Iterable[Mapping[str, Any]]) -> Table:
    """Return the table with a row per summary."""
    rows = [[form.format_map(one) for form in columns.values()] for one in summaries]
    return Table(list(columns), rows)
