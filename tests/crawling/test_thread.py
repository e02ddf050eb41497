"""The crawl goes on while an extractor works in the thread."""

import asyncio
import threading
from typing import Any

from scrapy_webtext.results import Extraction
from tests.crawls.offline import Components, response_of


class Waiting:
    """Waits until the crawl does something else, and returns the name of its thread."""

    go_on = threading.Event()

    def extract(self, page: Any) -> Extraction:
        assert self.go_on.wait(10)
        return Extraction(threading.current_thread().name, 1.0, "waiting")


def test_an_item_waits_for_the_thread_and_the_crawl_does_not() -> None:
    crawl = Components(EXTRACTOR=Waiting, EXECUTOR="thread")

    async def fill() -> list[Any]:
        pages = [crawl.download(response_of(b"<p>x")) for _ in range(3)]
        # One of two that wait for the same page gives up: the other gets the result.
        impatient = asyncio.ensure_future(crawl.fill({}, pages[0]))
        tasks = [asyncio.ensure_future(crawl.fill({}, page)) for page in pages]
        await asyncio.sleep(0.01)
        impatient.cancel()
        await asyncio.sleep(0.01)
        Waiting.go_on.set()
        return await asyncio.gather(*tasks)

    assert [item["main_text"] for item in asyncio.run(fill())] == ["webtext_0"] * 3
    assert crawl.stats["webtext/seconds/extraction"] > 0
    crawl.close()
