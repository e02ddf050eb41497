"""A long crawl of the unreliable site; prints a JSON report of its items.

    python -m tests.crawls.endurance ADDRESS PAGES FOLDER [NAME=VALUE ...]

FOLDER gets `pages` (the numbers that callbacks got) and `items` (JSON lines), written at once, so
that a test can read them of a crawl that was killed. The other arguments are settings; after the
pages of SIGNAL_AFTER, numbers set off by commas, the crawl gets SIGNAL (2, SIGINT).
"""

import json
import os
import re
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import AsyncCrawlerProcess

from tests.crawls import unreliable
from tests.crawls.items import KINDS
from tests.crawls.parts import Part, report_of_crawl

#: Faults after which a page is never received.
LOST = ("reset always", "truncated always", "missing")
#: The hostile page that Scrapy's MetaRefreshMiddleware refuses: <base href="http://[::1">.
REFUSED = "base"


class EnduranceSpider(scrapy.Spider):
    name = "endurance"

    def __init__(self, base: str, pages: int, folder: Path) -> None:
        super().__init__()
        self.base, self.pages, self.seen = base, pages, 0
        self.got = (folder / "pages").open("a", buffering=1)
        self.items = (folder / "items").open("a", buffering=1)

    async def start(self) -> Any:
        for number in range(-(-self.pages // unreliable.PER_INDEX)):
            index = f"{self.base}/index/{number}"
            yield scrapy.Request(index, self.parse_index, priority=-number, dont_filter=True)

    def parse_index(self, response: Any) -> Any:
        for link in response.css("a::attr(href)"):
            yield response.follow(link, self.parse, errback=self.lost)

    def parse(self, response: Any) -> Any:
        number = number_of(response.request.url)
        self.got.write(f"{number}\n")
        self.seen += 1
        if str(self.seen) in self.settings.getlist("SIGNAL_AFTER"):
            os.kill(os.getpid(), self.settings.getint("SIGNAL", signal.SIGINT))
        for kind in kinds(number):
            yield KINDS[kind](key=f"{number}/{kind}")

    def lost(self, failure: Any) -> Any:
        yield {"key": f"{number_of(failure.request.url)}/lost"}


def number_of(url: str) -> int:
    return int(url.rpartition("/")[2])


def lost_of(pages: int) -> list[int]:
    """Return the numbers of the pages that are never received."""
    return [number for number in range(pages) if is_lost(number)]


def is_lost(number: int) -> bool:
    fault = unreliable.fault_of(number)
    return fault in LOST or (fault == "hostile" and unreliable.hostile_name(number) == REFUSED)


def kinds(number: int) -> list[str]:
    """Return the kinds of item that the spider yields for a page."""
    return ["dict"] + ["dataclass"] * (number % 3 == 0) + ["scrapy"] * (number % 4 == 0)


class Keep(Part):
    """Writes each item to the file of the spider."""

    def process_item(self, item: Any) -> Any:
        self.crawler.spider.items.write(line_of(item))
        return item


def line_of(item: Any) -> str:
    return json.dumps(ItemAdapter(item).asdict()) + "\n"


def account(folder: Path) -> dict[str, Any]:
    """Return the numbers of pages and items that a crawl wrote, and what is wrong with them."""
    got = Counter(map(int, (folder / "pages").read_text().split()))
    texts: dict[tuple[int, str], list[Any]] = {}
    for item in map(json.loads, (folder / "items").read_text().splitlines()):
        number, _, kind = item["key"].partition("/")
        texts.setdefault((int(number), kind), []).append(item)
    lost = sorted(number for number, kind in texts if kind == "lost")
    filled = [item for (_, kind), items in texts.items() if kind != "lost" for item in items]
    return {
        "pages": len(got),
        "pages_twice": sum(n > 1 for n in got.values()),
        "items": len(filled),
        "items_twice": sum(len(items) > 1 for items in texts.values()),
        "items_missing": sum((n, kind) not in texts for n in got for kind in kinds(n)),
        "pages_lost": lost,
        "wrong_texts": [item["key"] for item in filled if not is_right(item)],
    }


def is_right(item: dict[str, Any]) -> bool:
    """Return whether an item has the text of its own page only."""
    number, text = number_of("/" + item["key"].partition("/")[0]), item["main_text"]
    if unreliable.fault_of(number) == "hostile":
        return isinstance(text, str)
    if unreliable.is_list(number):
        return isinstance(text, str) and item["has_article"] is False
    days = 4 * (3 + number % 20)
    of = {int(n) for n in re.findall(r"keeper of page (\d+) wrote", text)}
    return of == {number} and text.count("wrote down the wind.") == days and item["has_article"]


def main(base: str, pages: str, folder: str, *settings: str) -> None:
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
            **dict(setting.split("=", 1) for setting in settings),
        }
    )
    crawler = process.create_crawler(EnduranceSpider)
    process.crawl(crawler, base=base, pages=int(pages), folder=Path(folder))
    process.start()
    print(json.dumps({**report_of_crawl(crawler), **account(Path(folder))}))


if __name__ == "__main__":
    main(*sys.argv[1:])
