"""A long crawl of a site that fails as the web does; prints a JSON report of what came of it.

    python -m tests.crawls.endurance [--pages 20000] [-s NAME=VALUE ...] [--folder FOLDER]

FOLDER gets `pages` (numbers that callbacks got) and `items` (JSON lines), written as they come, so
that they can be read of a crawl that was killed.
"""

import argparse
import gc
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import AsyncCrawlerProcess

from scrapy_webtext import WebTextFields
from scrapy_webtext.crawling.crawl import WebtextCrawl
from scrapy_webtext.extractors.pvalue import PValueExtractor
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction
from tests.crawls import unreliable
from tests.crawls.parts import Part

#: Kinds of fault after which a page never comes.
LOST = ("reset always", "truncated always", "missing")
#: Memory is looked at each time so many items came.
STEP = 500


@dataclass
class Log(WebTextFields):
    number: int
    kind: str


class ScrapyLog(scrapy.Item):
    number = scrapy.Field()
    kind = scrapy.Field()
    main_text = scrapy.Field()
    has_article = scrapy.Field()
    p_value = scrapy.Field()
    main_text_score = scrapy.Field()


class Slow(PValueExtractor):
    """Takes its time, so that a signal meets pages in work."""

    def extract(self, page: Page) -> Extraction:
        time.sleep(0.02)
        return super().extract(page)


class EnduranceSpider(scrapy.Spider):
    name = "endurance"

    def __init__(self, base: str, pages: str, folder: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.base, self.pages = base, int(pages)
        self.got = (Path(folder) / "pages").open("a", buffering=1)
        self.items = (Path(folder) / "items").open("a", buffering=1)
        self.memory: list[int] = []
        self.count = 0

    async def start(self) -> Any:
        for number in range(-(-self.pages // unreliable.PER_INDEX)):
            yield scrapy.Request(f"{self.base}/index/{number}", self.parse_index, priority=-number)

    def parse_index(self, response: Any) -> Any:
        for link in response.css("a::attr(href)"):
            yield response.follow(link, self.parse, errback=self.lost)

    def parse(self, response: Any) -> Any:
        number = number_of(response.request.url)
        self.got.write(f"{number}\n")
        yield {"number": number, "kind": "dict"}
        if number % 3 == 0:
            yield Log(number=number, kind="dataclass")
        if number % 4 == 0:
            yield ScrapyLog(number=number, kind="item")

    def lost(self, failure: Any) -> Any:
        yield {"number": number_of(failure.request.url), "kind": "lost"}


def number_of(url: str) -> int:
    return int(url.rpartition("/")[2])


class Keep(Part):
    """Writes each item down, and looks at the memory from time to time."""

    def process_item(self, item: Any) -> Any:
        spider = self.crawler.spider
        spider.items.write(json.dumps(ItemAdapter(item).asdict()) + "\n")
        spider.count += 1
        if spider.count % STEP == 0:
            gc.collect()
            spider.memory.append(resident_kilobytes())
        return item


def resident_kilobytes() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@contextmanager
def serving(pages: int) -> Iterator[str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.crawls.unreliable", str(pages)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # A signal to the crawl's group must not end the site that it crawls.
        start_new_session=True,
    )
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.communicate()


def crawl(base: str, pages: int, folder: Path, settings: dict[str, Any]) -> dict[str, Any]:
    process = AsyncCrawlerProcess(
        {
            "ADDONS": {"scrapy_webtext.Addon": 500},
            "ITEM_PIPELINES": {Keep: 900},
            "LOG_LEVEL": "ERROR",
            "CONCURRENT_REQUESTS": 32,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
            "DOWNLOAD_TIMEOUT": 20,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": False,
            "RETRY_TIMES": 2,
            **settings,
        }
    )
    crawler = process.create_crawler(EnduranceSpider)
    process.crawl(crawler, base=base, pages=str(pages), folder=str(folder))
    process.start()
    spider: Any = crawler.spider
    stats = crawler.stats.get_stats() if crawler.stats else {}
    gc.collect()
    return {
        "stats": {name: value for name, value in stats.items() if isinstance(value, int | float)},
        "reason": stats.get("finish_reason"),
        "memory": spider.memory,
        "left": len(WebtextCrawl.of(crawler).binder),
        **account(folder),
    }


def account(folder: Path) -> dict[str, Any]:
    """What a crawl wrote down: pages that callbacks got, items by kind, and what is amiss."""
    got = Counter(map(int, (folder / "pages").read_text().split()))
    items = [json.loads(line) for line in (folder / "items").read_text().splitlines()]
    pairs = Counter((item["number"], item["kind"]) for item in items)
    filled = [item for item in items if item["kind"] != "lost"]
    return {
        "pages": len(got),
        "pages_twice": sum(n > 1 for n in got.values()),
        "items": len(filled),
        "items_twice": sum(n > 1 for n in pairs.values()),
        "items_missing": sum(
            (number, kind) not in pairs for number in got for kind in kinds(number)
        ),
        "pages_lost": sorted(item["number"] for item in items if item["kind"] == "lost"),
        "wrong_texts": [item["number"] for item in filled if not is_right(item)],
    }


def kinds(number: int) -> list[str]:
    """Kinds of item that the spider yields for a page."""
    return ["dict"] + ["dataclass"] * (number % 3 == 0) + ["item"] * (number % 4 == 0)


def is_right(item: dict[str, Any]) -> bool:
    """Whether an item has the text of its own page and no other's."""
    number, text = item["number"], item["main_text"]
    if unreliable.fault_of(number) == "hostile":
        return isinstance(text, str)
    if unreliable.is_list(number):
        return isinstance(text, str) and item["has_article"] is False
    days = 4 * (3 + number % 20)
    of = {int(n) for n in re.findall(r"keeper of page (\d+) wrote", text)}
    return of == {number} and text.count("wrote down the wind.") == days and item["has_article"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--base", help="address of a site that runs; else one is started")
    parser.add_argument("-s", dest="settings", action="append", default=[])
    given = parser.parse_args()
    settings = dict(pair.split("=", 1) for pair in given.settings)
    with TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        if given.base:
            report = crawl(given.base, given.pages, folder, settings)
        else:
            with serving(given.pages) as base:
                report = crawl(base, given.pages, folder, settings)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
