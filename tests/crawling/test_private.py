"""What scrapy_webtext uses of Scrapy and Scrapy does not document; a change fails with its name."""

import inspect
from typing import Any

import pytest
from scrapy.commands import parse
from scrapy.core import engine
from scrapy.core.downloader import Downloader
from scrapy.core.engine import ExecutionEngine
from scrapy.http import HtmlResponse

from scrapy_webtext.crawling.private import declared_encoding, has_selector


@pytest.mark.parametrize(
    ("owner", "use"),
    [
        (ExecutionEngine, "self._slot"),
        (ExecutionEngine, "self.downloader"),
        (engine, "self.inprogress: set[Request]"),
        (Downloader, "self.active"),
        (parse, 'meta["_callback"]'),
        (parse, 'meta["_depth"]'),
    ],
)
def test_scrapy_still_has_it(owner: Any, use: str) -> None:
    source = inspect.getsource(owner)
    assert use in source, f"Scrapy's {owner.__name__} has no {use} any more"


def test_a_response_knows_its_declared_encoding() -> None:
    response = HtmlResponse("http://a.example/", body=b"<meta charset=latin-1><p>a")
    assert declared_encoding(response) == "cp1252"
    assert declared_encoding(HtmlResponse("http://a.example/", body=b"<p>a")) is None


def test_a_response_keeps_its_selector() -> None:
    response = HtmlResponse("http://a.example/", body=b"<p>a")
    assert hasattr(response, "_cached_selector"), "responses have no _cached_selector any more"
    assert not has_selector(response)
    assert response.selector
    assert has_selector(response)
