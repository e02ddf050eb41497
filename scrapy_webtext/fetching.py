"""Pages from the web for the command line, through Scrapy's own downloader."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from scrapy import Request, Spider
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.spider import DefaultSpider

from scrapy_webtext.errors import InputError
from scrapy_webtext.page import Page
from scrapy_webtext.responses import read_page, skip_reason

if TYPE_CHECKING:
    from scrapy.http import Response
    from twisted.python.failure import Failure

#: What a project sets for its crawls and what a look at single pages must not set off: its
#: feeds would be overwritten, its pipelines opened, its queue of requests taken up.
OVERRIDES: Final[Mapping[str, Any]] = {
    "FEEDS": {},
    "ITEM_PIPELINES": {},
    "JOBDIR": None,
    "TELNETCONSOLE_ENABLED": False,
    "WEBTEXT_ENABLED": False,
    "CLOSESPIDER_ITEMCOUNT": 0,
    "CLOSESPIDER_PAGECOUNT": 0,
}


class Receiver(Protocol):
    """Takes what was fetched, in the order of arrival."""

    def receive(self, number: int, page: Page) -> None:
        """Take the page of the source with this number."""

    def fail(self, number: int, reason: str) -> None:
        """Take the reason why there is none."""


@dataclass
class Fetch:
    """Fetches addresses in one crawl, which can be started once in a process."""

    process: Any  #: Scrapy's CrawlerProcess, or its AsyncCrawlerProcess
    receiver: Receiver
    fix_encoding: bool = True
    spider: str | None = None  #: the project's spider whose custom_settings apply
    meta: Mapping[str, Any] = field(default_factory=dict)  #: of each request
    _waiting: dict[int, str] = field(default_factory=dict)
    _fault: str = "the crawl was stopped before"
    _raised: Exception | None = None  #: by the receiver

    def run(self, addresses: Mapping[int, str]) -> None:
        """Fetch these addresses; each is received, or failed with the reason, by its number."""
        self._waiting = dict(addresses)
        requests = [self._request(number, address) for number, address in addresses.items()]

        async def start(_: Spider) -> AsyncIterator[Request]:
            for request in requests:
                yield request

        base = self._spider_class()
        fetcher = type(base.__name__, (base,), {"start": start})
        self.process.settings.setdict(OVERRIDES, priority="cmdline")
        try:
            running: Any = self.process.crawl(fetcher)
        except Exception as error:  # a project may break in any way
            raise InputError(f"The crawl cannot start: {_one_line(error)}") from error
        if hasattr(running, "addErrback"):
            running.addErrback(lambda failure: self._broken(failure.value))
        else:
            running.add_done_callback(self._look_at)
        self.process.start()
        if self._raised is not None:
            raise self._raised
        for number, address in sorted(self._waiting.items()):
            self.receiver.fail(number, f"{address} was not fetched: {self._fault}")

    def _spider_class(self) -> type[Spider]:
        if self.spider is None:
            return DefaultSpider
        loader = self.process.spider_loader
        try:
            spider: type[Spider] = loader.load(self.spider)
        except KeyError:
            known = ", ".join(sorted(loader.list())) or "none: run this inside a project"
            raise InputError(f"Unknown spider {self.spider!r}; known: {known}") from None
        return spider

    def _request(self, number: int, address: str) -> Request:
        try:
            return Request(
                address,
                callback=self._received,
                errback=self._failed,
                cb_kwargs={"number": number},
                meta=dict(self.meta),
                dont_filter=True,
            )
        except ValueError as error:
            raise InputError(f"{address} is no address: {error}") from None

    def _received(self, response: Response, number: int) -> None:
        address = self._waiting.pop(number)
        reason = skip_reason(response, None, 0, 0)
        if reason == "status":
            self.receiver.fail(number, f"{address} answered with status {response.status}")
        elif reason:
            content_type = (response.headers.get("Content-Type") or b"of no type").decode("latin-1")
            self.receiver.fail(number, f"{address} is no HTML page ({content_type})")
        else:
            try:
                self.receiver.receive(number, read_page(response, self.fix_encoding))
            except Exception as error:  # Scrapy would log it and go on
                self._raised = error
                raise CloseSpider("failed") from error

    def _failed(self, failure: Failure) -> None:
        number = failure.request.cb_kwargs["number"]  # type: ignore[attr-defined]
        address = self._waiting.pop(number)
        error = failure.value
        if isinstance(error, HttpError):
            reason = f"answered with status {error.response.status}"
        elif isinstance(error, IgnoreRequest):
            reason = f"was not fetched: {_one_line(error)}"
        else:
            reason = f"cannot be reached (address and connection right?): {_one_line(error)}"
        self.receiver.fail(number, f"{address} {reason}")

    def _look_at(self, task: Any) -> None:
        if not task.cancelled() and task.exception() is not None:
            self._broken(task.exception())

    def _broken(self, error: BaseException) -> None:
        self._fault = f"the crawl cannot start: {_one_line(error)}"


def _one_line(error: BaseException | None) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(": ").rstrip(":")
