"""``items_of``: the items that a callback yields for a stored page, for tests of spiders."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from inspect import isawaitable
from typing import Any, Final

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.asyncgen import as_async_generator
from scrapy.utils.misc import arg_to_iter
from scrapy.utils.project import get_project_settings
from scrapy.utils.test import get_crawler

from scrapy_webtext.addon import has_subclass
from scrapy_webtext.crawling.crawl import WebtextCrawl
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.pipeline import NoArticle, WebtextPipeline

#: Settings of a project that a test without a crawl does not use.
UNUSED: Final = {"TWISTED_REACTOR", "ASYNCIO_EVENT_LOOP", "EXTENSIONS", "FEEDS", "JOBDIR"}


def items_of(
    spider: type[Spider],
    response: Response,
    callback: str = "parse",
    settings: BaseSettings | None = None,
) -> list[Any]:
    """Return the items that a callback yields for a response, filled as in a crawl.

    ``settings`` are by default those of the project in whose folder the test runs. Items that
    ``WEBTEXT_ACTION`` drops are missing, requests are left out. Nothing is fetched, and only the
    components of this package run. Raise SettingsError if the settings do not enable the add-on.
    """
    given = settings or get_project_settings()
    own = {name: given[name] for name in given if given.getpriority(name) and name not in UNUSED}
    crawler = get_crawler(spider, {**own, "WEBTEXT_NEXT_PAGES": 0})
    if not has_subclass(crawler.settings.getdict("ITEM_PIPELINES"), WebtextPipeline):
        raise SettingsError(
            "these settings do not enable scrapy_webtext.Addon: run the test in the folder of "
            "scrapy.cfg, or give settings="
        )
    made = spider.from_crawler(crawler)
    function = getattr(made, callback)
    response.request = response.request or Request(response.url, function)
    crawl, pipeline = WebtextCrawl.of(crawler), WebtextPipeline.from_crawler(crawler)
    found: list[Any] = []

    async def fill() -> None:
        output = function(response)
        output = await output if isawaitable(output) else output
        several = output if hasattr(output, "__aiter__") else arg_to_iter(output)
        async for one in as_async_generator(several):
            if not isinstance(one, Request):
                crawl.binder.bind(one, response)
                with suppress(NoArticle):
                    found.append(pipeline.process_item(one))

    state = crawl.judge(response, response.request)
    if not (state.settings.action == "ignore" and state.has_no_article):
        crawl.is_open = True
        try:
            asyncio.run(fill())
        finally:
            crawl.is_open = False  # for `extract` in the next test
    return found
