"""Write the lists in docs from their declarations: settings, results; features of blocks.

python -m tests.kits.settings_table
"""

import inspect
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from scrapy_webtext.extractors.fusion.features.measures import GROUPS, RANGES
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import DECLARED, WebtextSettings

DOCS = Path(__file__).parents[2] / "docs"
BEGIN = "<!-- made by python -m tests.kits.settings_table; do not edit -->\n"
END = "<!-- end of the table -->\n"


def meanings(declared: type) -> dict[str, str]:
    """Return per field of a dataclass the comment (``#:``) above it, as Markdown."""
    found: dict[str, str] = {}
    comment: list[str] = []
    for line in map(str.strip, inspect.getsource(declared).splitlines()):
        if line.startswith("#:"):
            comment.append(line[2:].strip())
        else:
            name = line.partition(":")[0]
            if comment and name.isidentifier():
                found[name] = " ".join(comment).replace("``", "`")
            comment = []
    return found


def tables() -> dict[str, list[str]]:
    """Return, per page, the lists as Markdown, each in the order of its declarations."""
    return {
        "settings.md": [_list(_settings()), _list(_results())],
        "fusion.md": [_list(_features())],
    }


def with_tables(page: str, made: list[str]) -> str:
    """Return the page with the current tables, each between two marks."""
    before, *parts = page.split(BEGIN)
    afters = [part.partition(END)[1:] for part in parts]
    if len(parts) != len(made) or not all(end for end, _ in afters):
        raise SystemExit(f"the page lacks a mark of a table: {BEGIN.strip()}, {END.strip()}")
    return before + "".join(
        f"{BEGIN}\n{one}\n{end}{after}" for one, (end, after) in zip(made, afters, strict=True)
    )


def _list(rows: Mapping[str, str]) -> str:
    return "".join(f"- `{name}`{row}\n" for name, row in rows.items())


def _settings() -> dict[str, str]:
    said, rows = meanings(WebtextSettings), {}
    for name, field in DECLARED.items():
        per_request = f" Per request: `{field.name}`." if field.metadata["per_request"] else ""
        rows[name] = f" ({_default(field.name)}): {said[field.name]}{per_request}"
    return rows


def _results() -> dict[str, str]:
    said = meanings(WebTextResult)
    return {field.name: f": {said[field.name]}" for field in fields(WebTextResult)}


def _features() -> dict[str, str]:
    """Return the measures of ranges and groups; their sentences are in lab/sentences.json."""
    return {
        name: f" ({meaning}): {', '.join(measures.split()).replace('_', ' ')}"
        for name, (meaning, measures) in {**RANGES, **GROUPS}.items()
    }


def _default(name: str) -> str:
    value = getattr(WebtextSettings(), name)
    if isinstance(value, Mapping) and value:
        return "[see below](#fields)"
    if isinstance(value, str):
        return f'`"{value}"`'
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


if __name__ == "__main__":
    for name, lists in tables().items():
        path = DOCS / name
        path.write_text(with_tables(path.read_text("utf-8"), lists), encoding="utf-8")
