"""Text that a site repeats from page to page: ``WEBTEXT_REPEATS`` and ``text_repeats``."""

from typing import Any

import pytest
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse, Request

from scrapy_webtext import extract
from scrapy_webtext.crawling import repeats as memory
from scrapy_webtext.crawling.repeats import Repeats
from scrapy_webtext.page import parse
from tests.crawls.offline import Components
from tests.crawls.site import SENTENCE

BOX = "Join our readers and get the letter of the week, each Monday, free of charge."
WALL = f"<article><h1>Before you go on</h1>{f'<p>We value your privacy. {SENTENCE}</p>' * 6}"


def page(n: int, host: str = "a.example", body: str = "") -> HtmlResponse:
    own = "".join(f"<p>Part {n}-{k}. {SENTENCE * 3}</p>" for k in range(4))
    html = body or f"<body><article><h1>News {n}</h1>{own}<h2>Method</h2><p>{BOX}</p></article>"
    request = Request(f"https://{host}/{n}", callback=lambda _: None)
    return HtmlResponse(request.url, body=html.encode(), request=request)


def items(crawl: Components, *pages: HtmlResponse) -> list[Any]:
    return [crawl.item_of(one) for one in pages]


@pytest.mark.parametrize("extractor", ["fusion", "bte"])
def test_a_block_is_dropped_from_the_third_page_of_its_site_on(extractor: str) -> None:
    crawl = Components(REPEATS="drop", EXTRACTOR=extractor, THRESHOLD=0)
    found = items(crawl, *map(page, range(5)), page(5, "b.example"))
    assert [BOX in item["main_text"] for item in found] == [True, True, False, False, False, True]
    assert all(f"Part {n}-3" in item["main_text"] for n, item in enumerate(found))
    assert all("Method" in item["main_text"] for item in found)
    assert crawl.stats["webtext/sites/repeated_blocks"] == 3


def test_a_block_is_marked_and_pages_without_an_article_keep_it() -> None:
    crawl = Components(REPEATS="mark", FIELDS={"blocks": "blocks"})
    found = items(crawl, *map(page, range(3)))
    marked = [[row["text"] for row in item["blocks"] if row["is_repeated"]] for item in found]
    assert marked == [[], [], [BOX]]
    assert BOX in found[2]["main_text"]
    crawl = Components(REPEATS="drop", THRESHOLD=1)
    assert all(BOX in item["main_text"] for item in items(crawl, *map(page, range(4))))


def test_a_rare_block_stays_and_never_more_than_half_of_a_text_goes() -> None:
    crawl = Components(REPEATS="drop", THRESHOLD=0)
    plain = [page(n, body=page(n).text.replace(BOX, "")) for n in range(60)]
    items(crawl, *plain, page(60), page(61))
    assert BOX in items(crawl, page(62))[0]["main_text"]  # 3 of 63 pages
    crawl = Components(REPEATS="drop", THRESHOLD=0)
    same = [page(n, body=f"<article><p>{BOX}</p><p>Page {n}</p>") for n in range(4)]
    assert all(BOX in item["main_text"] for item in items(crawl, *same))


def test_a_text_that_pages_share_is_no_article_from_the_third_on() -> None:
    walls = [page(n, body=WALL) for n in range(4)]
    crawl = Components(FIELDS={"text_repeats": "repeats"})
    found = items(crawl, *walls, page(9), page(5, "b.example", WALL))
    assert [item["repeats"] for item in found] == [0, 1, 2, 3, 0, 0]
    assert [item["has_article"] for item in found] == [True, True, False, False, True, True]
    assert crawl.stats["webtext/sites/repeated_texts"] == 2
    crawl = Components(FIELDS={"text_repeats": "repeats"}, ACTION="drop_items")
    items(crawl, *walls[:2])
    with pytest.raises(DropItem):
        crawl.item_of(walls[2])


def test_a_page_is_counted_once_and_nothing_is_without_the_settings() -> None:
    crawl = Components(REPEATS="drop")
    response = page(1)
    crawl.item_of(response)
    for _ in range(5):
        assert extract(response, extractor="pvalue").text_repeats is None
        assert extract(response).text_repeats == 0
    assert items(crawl, page(2))[0]
    crawl = Components()
    crawl.item_of(page(1))
    assert extract(page(1)).text_repeats is None


def test_memory_stays_bounded_over_many_sites_and_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_SITES", 100)
    monkeypatch.setattr(memory, "MAX_HASHES", 10_000)
    repeats, most = Repeats(), 0
    for n in range(2_000):
        texts = [f"{n} {k} is a sentence of forty characters or more." for k in range(10)]
        html = "".join(f"<p>{text}</p>" for text in [*texts, f"{n % 50} {BOX}"])
        one = parse(html)
        seen = repeats.see(f"{n % 50}.example", one, str(n), range(11))
        most = max(most, len(repeats))
        assert seen.blocks == ({10} if n >= 100 else set())
    assert 5_000 < most <= 10_000
    for n in range(200):
        repeats.see(f"{n}.example", one, "text", [])
    assert len(repeats) <= 10_100
    repeats = Repeats()
    for n in range(2_000):  # one site after the other
        texts = [f"{n} {k} is a sentence of forty characters or more." for k in range(10)]
        one = parse("".join(f"<p>{text}</p>" for text in texts))
        repeats.see(f"{n // 40}.example", one, str(n), range(10))
        assert len(repeats) <= 10_000
