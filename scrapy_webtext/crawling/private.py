"""All uses of undocumented attributes of Scrapy.

If a new version of Scrapy changes one of them, tests/crawling/test_private.py fails and names it.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from scrapy import Request
from scrapy.http import Response, TextResponse


def in_progress(crawler: Any) -> Set[Request]:
    """Return the requests whose response or items the engine still works on."""
    slot = crawler.engine._slot
    return slot.inprogress if slot is not None else frozenset()


def downloading(crawler: Any) -> Set[Request]:
    """Return the requests that the downloader is fetching."""
    active: Set[Request] = crawler.engine.downloader.active
    return active


def has_selector(response: Response) -> bool:
    """Return whether a response has built its selector; also True if this cannot be found out."""
    return getattr(response, "_cached_selector", response) is not None


def declared_encoding(response: TextResponse) -> str | None:
    """Return the encoding that the constructor, a header or the page declares, or None."""
    return response._declared_encoding()


def is_of_command_parse(response: Response) -> bool:
    """Return whether ``scrapy parse`` fetched this response."""
    return "_callback" in response.meta and "_depth" in response.meta
