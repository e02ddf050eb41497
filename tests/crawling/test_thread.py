"""The crawl goes on while an extractor works in the thread."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from scrapy_webtext.crawling.crawl import finished, timed
from scrapy_webtext.results import Extraction
from tests.crawls.offline import Components, response_of


class Waiting:
    """Waits until the crawl does something else, and says in which thread."""

    go_on = threading.Event()

    def extract(self, page: Any) -> Extraction:
        assert self.go_on.wait(10)
        return Extraction(threading.current_thread().name, 1.0, "waiting")


def test_an_item_waits_for_the_thread_and_the_crawl_does_not() -> None:
    crawl = Components(EXTRACTOR=Waiting, EXECUTOR="thread")

    async def fill() -> list[Any]:
        pages = [crawl.download(response_of(b"<p>x")) for _ in range(3)]
        tasks = [asyncio.ensure_future(crawl.fill({}, page)) for page in pages]
        await asyncio.sleep(0.01)
        Waiting.go_on.set()
        return await asyncio.gather(*tasks)

    assert [item["main_text"] for item in asyncio.run(fill())] == ["webtext_0"] * 3
    assert crawl.stats["webtext/seconds/extraction"] > 0
    crawl.close()


def test_one_who_gives_up_costs_no_other_the_result() -> None:
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(timed, time.sleep, 0.05)

        async def wait() -> None:
            impatient = asyncio.ensure_future(finished(future))
            await asyncio.sleep(0)
            impatient.cancel()
            await finished(future)

        asyncio.run(wait())
        assert future.result()[1] >= 0.05
