"""What the page says of its article, and where each value came from, for the report's box."""

from __future__ import annotations

from typing import NamedTuple

from scrapy_webtext.metadata import FIELDS, metadata
from scrapy_webtext.page import Page
from scrapy_webtext.results import Breadcrumb, Extraction

#: Values of a list that are shown.
MAX_VALUES = 20


class Row(NamedTuple):
    """A field with its value and its source, in words; empty where nothing was found."""

    field: str
    value: str
    source: str


def described(page: Page, extraction: Extraction) -> list[Row]:
    """Return the rows of the box, one per field that was found, in the order of the fields."""
    found = metadata(page, extraction)
    return [
        Row(name.replace("_", " "), _shown(getattr(found, name)), found.sources[name])
        for name in FIELDS
        if name in found.sources
    ]


def _shown(value: str | tuple[str | Breadcrumb, ...]) -> str:
    if isinstance(value, str):
        return value
    names = [one.name if isinstance(one, Breadcrumb) else one for one in value[:MAX_VALUES]]
    return (" › " if isinstance(value[0], Breadcrumb) else ", ").join(names)
