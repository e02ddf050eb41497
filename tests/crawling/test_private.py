"""What scrapy_webtext uses of Scrapy and Scrapy does not document; a change fails with its name."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy.commands import parse
from scrapy.core import engine
from scrapy.core.downloader import Downloader
from scrapy.core.engine import ExecutionEngine
from scrapy.http import HtmlResponse
from scrapy.spiders import CrawlSpider

import scrapy_webtext
from scrapy_webtext.crawling.private import has_selector

PACKAGE = Path(scrapy_webtext.__file__).parent


@pytest.mark.parametrize(
    ("owner", "use"),
    [
        (ExecutionEngine, "self._slot"),
        (ExecutionEngine, "self.downloader"),
        (engine, "self.inprogress: set[Request]"),
        (Downloader, "self.active"),
        (CrawlSpider, "self._requests_to_follow(response)"),
        (parse, 'meta["_callback"]'),
        (parse, 'meta["_depth"]'),
    ],
)
def test_scrapy_still_has_it(owner: Any, use: str) -> None:
    source = inspect.getsource(owner)
    assert use in source, f"Scrapy's {owner.__name__} has no {use} any more"


def test_a_response_keeps_its_selector() -> None:
    response = HtmlResponse("http://a.example/", body=b"<p>a")
    assert hasattr(response, "_cached_selector"), "responses have no _cached_selector any more"
    assert not has_selector(response)
    assert response.selector
    assert has_selector(response)


def private_names(path: Path) -> Iterator[str]:
    """Yield the private attributes that a file reads."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            yield node.attr


def test_private_names_of_scrapy_are_used_in_one_module() -> None:
    names = {"_slot", "_dqpush", "_mqpush", "_cached_selector", "_build_row"}
    for path in PACKAGE.rglob("*.py"):
        if path.name != "private.py":
            assert not names & set(private_names(path)), path
