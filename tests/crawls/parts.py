"""Parts that the test crawls share."""

import gc
from typing import Any

from itemadapter import ItemAdapter

from scrapy_webtext.crawling.crawl import WebtextCrawl


class Part:
    """A pipeline that knows its crawler."""

    def __init__(self, crawler: Any) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        return cls(crawler)


class Keep(Part):
    """The pipeline after ours: keeps every item as a dict in ``spider.seen``."""

    def process_item(self, item: Any, spider: Any = None) -> Any:
        is_item = ItemAdapter.is_item(item)
        values = ItemAdapter(item).asdict() if is_item else {"strange": type(item).__name__}
        self.crawler.spider.seen.append(values)
        return item


def numbers_of(crawler: Any) -> dict[str, float]:
    """Return the stats of a crawl that are numbers."""
    stats = crawler.stats.get_stats() if crawler.stats else {}
    return {name: value for name, value in stats.items() if isinstance(value, int | float)}


def report_of_crawl(crawler: Any) -> dict[str, Any]:
    """Return the stats of a closed crawl, why it ended, and how many items are still bound."""
    gc.collect()  # responses end in reference cycles
    return {
        "stats": numbers_of(crawler),
        "reason": crawler.stats.get_value("finish_reason"),
        "left": len(WebtextCrawl.of(crawler).binder),
    }
