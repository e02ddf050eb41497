"""Crawl a queue in Redis, with other processes; print the stats as JSON at the end.

python -m tests.ecosystem.redis_spider NAME REDIS_URL
"""

import json
import sys
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy_redis.spiders import RedisSpider

from tests.crawls.parts import numbers_of

CONCURRENCY = 8


class SharedSpider(RedisSpider):
    name = "shared"
    process = ""

    def parse(self, response: Any) -> Any:
        yield {"url": response.url, "process": self.process, "flags": response.flags}
        yield from response.follow_all(css="a")


def main(name: str, redis_url: str) -> None:
    settings = {
        "ADDONS": {"scrapy_webtext.Addon": 500},
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "SCHEDULER_PERSIST": True,
        "ITEM_PIPELINES": {"scrapy_redis.pipelines.RedisPipeline": 300},
        "REDIS_URL": redis_url,
        "MAX_IDLE_TIME_BEFORE_CLOSE": 8,
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "USER_AGENT": name,
        "LOG_LEVEL": "WARNING",
        "TELNETCONSOLE_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(SharedSpider)
    process.crawl(crawler, process=name)
    process.start()
    print(json.dumps(numbers_of(crawler)))


if __name__ == "__main__":
    main(*sys.argv[1:])
