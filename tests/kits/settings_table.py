"""The tables of settings and of stats in docs/settings.md, made of the definitions in the package.

``python -m tests.kits.settings_table`` writes them into the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

from scrapy_webtext import settings
from scrapy_webtext.crawling import stats
from scrapy_webtext.settings import PER_REQUEST, PREFIX, WebtextSettings

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"
BEGIN = "<!-- made by python -m tests.kits.settings_table; do not edit -->\n"
END = "<!-- end of the table -->\n"


def meanings(source: str) -> dict[str, str]:
    """Return per field of the settings' class the comment (``#:``) above it, as Markdown."""
    found: dict[str, str] = {}
    comment: list[str] = []
    body = source.partition("class WebtextSettings")[2]
    for line in map(str.strip, body.splitlines()):
        if line.startswith("#:"):
            comment.append(line[2:].strip())
        else:
            name = line.partition(":")[0]
            if comment and name.isidentifier():
                found[name] = " ".join(comment).replace("``", "`")
            comment = []
    return found


def table() -> str:
    """Return the table as Markdown, one row per setting, in the order of the class."""
    said = meanings(Path(settings.__file__).read_text("utf-8"))
    rows = ["| setting | default | meaning |", "|---|---|---|"]
    for each in fields(WebtextSettings):
        name, meaning = f"{PREFIX}{each.name.upper()}", said[each.name]
        if each.name in PER_REQUEST:
            meaning += f" Per request: `{each.name}`."
        rows.append(f"| `{name}` | {_default(each)} | {meaning} |")
    return "\n".join(rows) + "\n"


def stats_table() -> str:
    """Return the table of stats as Markdown, one row per stat."""
    rows = [f"| `{stats.PREFIX}{name}` | {meaning} |" for name, meaning in stats.STATS.items()]
    return "\n".join(["| stat | counts |", "|---|---|", *rows]) + "\n"


def with_tables(page: str) -> str:
    """Return the page with the tables of today, each between two marks."""
    before, *parts = page.split(BEGIN)
    afters = [part.partition(END)[1:] for part in parts]
    if len(parts) != 2 or not all(end for end, _ in afters):
        raise SystemExit(f"{PAGE.name} lacks a mark of a table: {BEGIN.strip()}, {END.strip()}")
    made = (table(), stats_table())
    return before + "".join(
        f"{BEGIN}\n{one}\n{end}{after}" for one, (end, after) in zip(made, afters, strict=True)
    )


def _default(each: Field[Any]) -> str:
    value = each.default
    if each.default_factory is not MISSING:
        value = each.default_factory()
    if isinstance(value, Mapping) and value:
        return "[below](#fields)"
    if isinstance(value, str):
        return f'`"{value}"`'
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), encoding="utf-8")
