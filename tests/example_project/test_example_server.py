"""The spiders of the example that take arguments, its server, its labelled pages."""

import gzip
import json
import os
import socket
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from scrapy_webtext import extract
from scrapy_webtext.lab.corpus import read_corpus
from tests.example_project.example import (
    FIELDS,
    LABELLED,
    PAGES,
    PROJECT,
    ROOT,
    ROUTES,
    SITE,
    Crawl,
    Crawls,
    run,
    squeezed,
)

CORPORA = Path(os.environ.get("WEBTEXT_CORPORA", ROOT.parent / "shared" / "corpora"))


NEWSPAPER4K = CORPORA / "newspaper4k.jsonl.gz"


@pytest.fixture
def server_module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example's ``news.server``, as its own spiders import it."""
    monkeypatch.syspath_prepend(str(PROJECT))
    import news.server

    yield news.server
    for name in [name for name in sys.modules if name.partition(".")[0] == "news"]:
        del sys.modules[name]


def test_site_crawls_the_host_of_its_address_and_no_other(
    server_module: Any, crawls: Crawls
) -> None:
    front = (
        b"<!doctype html><title>Mine</title><p><a href='/a'>A</a> <a href='http://b.test/'>B</a>"
    )
    story = f"<!doctype html><title>A</title><p>{'It rained, and we stayed in. ' * 9}</p>".encode()
    answers = {"/": server_module.Answer(front), "/a": server_module.Answer(story)}
    server = server_module.LoopbackServer(answers)
    server.start()
    try:
        crawl = crawls.of("site", "-a", f"url={server.url}/", "-s", "AUTOTHROTTLE_START_DELAY=0")
    finally:
        server.stop()
    assert {path: item["has_article"] for path, item in crawl.by_path.items()} == {
        "/": False,
        "/a": True,
    }
    assert crawl.stats["offsite/filtered"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["site"], "got url=''; give it the address of a site"),
        (["site", "-a", "url=example.com"], "got url='example.com'; give it the address"),
        (["corpus"], "needs a labelled corpus: scrapy crawl corpus -a path="),
        (["corpus", "-a", "path=nowhere.jsonl.gz"], "No corpus at nowhere.jsonl.gz"),
    ],
)
def test_a_missing_argument_is_named_and_nothing_is_crawled(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    done = run(tmp_path / "items.jsonl", *arguments)
    assert done.returncode == 1
    assert message in done.stderr.strip().splitlines()[-1]
    assert "Crawled" not in done.stderr


def test_corpus_crawls_every_page_of_a_labelled_file(tmp_path: Path, crawls: Crawls) -> None:
    story = "<html><body><article><p>" + "The tide came in and went out. " * 20 + "</p></article>"
    leads_away = '<meta http-equiv="refresh" content="0;url=https://elsewhere.test/">' + story
    pages = [
        {"id": "one", "url": "https://a.test/1", "type": "article", "html": story, "text": "x"},
        {"id": "two", "url": "https://a.test/1", "type": "listing", "html": leads_away, "text": ""},
        {"id": "odd", "type": "other", "html": "\ud800", "text": ""},
        {"id": "none", "url": "https://b.test/", "type": "other", "html": "", "text": ""},
    ]
    path = tmp_path / "small.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(page) + "\n" for page in pages)
    crawl = crawls.of("corpus", "-a", f"path={path}")
    items = {item["id"]: item for item in crawl.items}
    assert len(crawl.items) == len(pages)
    assert set(items["one"]) == {"id", "url", "type"} | FIELDS
    assert items["one"]["url"] == "https://a.test/1"
    assert items["one"]["main_text"] == items["two"]["main_text"] == extract(story).main_text
    assert items["two"]["type"] == "listing"
    assert items["none"]["main_text"] == ""
    assert "3 items filled, 1 empty; 0 errors" in crawl.closing_line


def test_corpus_crawls_the_labelled_pages_of_the_example(news: Crawl, crawls: Crawls) -> None:
    crawl = crawls.of("corpus", "-a", "path=news/site/labelled")
    texts = {item["id"]: squeezed(item["main_text"]) for item in crawl.items}
    assert texts == {
        Path(route["file"]).stem: squeezed(news.by_path[path]["main_text"])
        for path, route in LABELLED.items()
    }


if NEWSPAPER4K.is_file():  # the labelled corpora are no part of the project

    def test_corpus_crawls_421_real_pages_and_loses_none(crawls: Crawls) -> None:
        crawl = crawls.of("corpus", "-a", f"path={NEWSPAPER4K.resolve()}")
        assert len({item["id"] for item in crawl.items}) == len(crawl.items) == 421
        assert all(item["main_text"] for item in crawl.items)
        assert "421 items filled; 0 errors" in crawl.closing_line


# --- the site and its server ----------------------------------------------------------------


def test_every_file_of_the_site_has_an_address() -> None:
    files = {route["file"] for route in ROUTES.values() if "file" in route}
    there = {
        str(path.relative_to(SITE).as_posix())
        for path in SITE.glob("*/*")
        if path.suffix != ".txt" or path.name == "robots.txt"
    }
    assert files == there
    assert len(PAGES) >= 40


def test_the_labelled_pages_are_a_corpus_whose_gold_text_stands_on_its_pages() -> None:
    pages = list(read_corpus(SITE / "labelled"))
    assert len(pages) >= 50
    for page in pages:
        whole = squeezed(extract(page.html, extractor=_Everything()).main_text)
        for paragraph in page.text.splitlines():
            assert squeezed(paragraph) in whole, f"{page.id}: {paragraph!r}"


class _Everything:
    """The text of all blocks, to look gold texts up in."""

    name = "everything"

    def extract(self, page: Any) -> Any:
        from scrapy_webtext.results import Extraction

        return Extraction("\n".join(page.blocks.text), 1.0, self.name)


def test_the_server_answers_by_path_and_leaves_nothing_behind(server_module: Any) -> None:
    before = set(threading.enumerate())
    answers: Mapping[str, Any] = {
        "/a?b=1": server_module.Answer(b"<p>here"),
        "/bare": server_module.Answer(b"x", content_type=None),
    }
    server = server_module.LoopbackServer(answers)
    with pytest.raises(RuntimeError, match="call start"):
        _ = server.url
    server.start()
    port = urlsplit(server.url).port
    assert port
    assert _get(port, "/a?b=1")[0].startswith("HTTP/1.0 200")
    assert _get(port, "/a")[0].startswith("HTTP/1.0 404")
    head, body = _get(port, "/bare")
    assert "content-type" not in head.lower()
    assert body == "x"
    server.stop()
    server.stop()
    with pytest.raises(ConnectionRefusedError):
        _get(port, "/bare")
    assert set(threading.enumerate()) == before


def _get(port: int, path: str) -> tuple[str, str]:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        with connection.makefile(encoding="utf-8", newline="") as file:
            head, _, body = file.read().partition("\r\n\r\n")
    return head, body
