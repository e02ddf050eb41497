"""The table of settings in docs/settings.md, made of the definitions in scrapy_webtext/settings.py.

``python -m tests.kits.settings_table`` writes it into the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

from scrapy_webtext import settings
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


def with_table(page: str) -> str:
    """Return the page with the table of today between its two marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE.name} lacks a mark of the table: {BEGIN.strip()}, {END.strip()}")
    return f"{before}{begin}\n{table()}\n{end}{after}"


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
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), encoding="utf-8")
