"""Schedule the requests of crawls that continue after a crash.

::

    SCHEDULER = "scrapy_webtext.integrations.job_queue.JobScheduler"
    JOBDIR = "job"

Scrapy writes the state of the queue in ``JOBDIR`` only when the spider closes. So a run after
``kill -9`` finds no queue, and all requests are marked as seen.
"""

from __future__ import annotations

import logging
import pickle
from base64 import b64decode, b64encode
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from scrapy import signals
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Request
from scrapy.utils.request import request_from_dict

from scrapy_webtext.cli.crawl_job import Journal
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.log_text import describe

logger = logging.getLogger("scrapy_webtext")

#: Key of ``request.meta`` with the number of a request in the journal.
NUMBER: Final = "webtext_number"

#: Finish reason of a crawl that can store nothing more.
JOB_FAILED: Final = "webtext_job_failed"

#: Number of errors of items, without a stored item between them, that ends a crawl.
MAX_ERRORS: Final = 20


class JobScheduler(Scheduler):
    """Scrapy's scheduler with a journal in ``JOBDIR``, from which each run fills its queue.

    A request is done when its callback has ended and its items have left the last pipeline, without
    an error. A run asks for all requests of earlier runs that are not done. Requests that Scrapy
    cannot serialize are not in the journal; the stat ``scheduler/unserializable`` counts them.

    The crawl ends with the reason ``webtext_job_failed`` if ``JOBDIR`` cannot be written, or after
    20 errors of items without a stored item between them.
    """

    journal: Journal | None
    crawler: Any
    spider: Any

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> JobScheduler:
        """Return the scheduler of a crawl; InputError for the folder of another job."""
        journal = cls._journal_of(crawler)
        scheduler = super().from_crawler(crawler)
        scheduler.journal = journal
        return scheduler

    def open(self, spider: Any) -> Any:
        """Open the queues; add the requests that earlier runs of the job left."""
        self._asked: dict[Request, int] = {}  #: requests in the engine -> their numbers
        self._failed: set[int] = set()  #: numbers of requests that met an error
        self._errors = 0  #: of items, since the last stored item
        self._refusal: OSError | None = None  #: of Scrapy's own files
        for receiver, signal in (
            (self._end, signals.spider_idle),
            (self._note_error, signals.item_error),
            (self._note_error, signals.spider_error),
            (self._note_item, signals.item_scraped),
        ):
            self.crawler.signals.connect(receiver, signal)
        opened = super().open(spider)
        for entry, is_left in self.journal.asked() if self.journal is not None else ():
            content = pickle.loads(b64decode(entry["request"]))
            request = request_from_dict(content, spider=spider)
            if not request.dont_filter or _is_start(request):
                self.df.request_seen(request)
            if is_left:
                request.meta[NUMBER] = entry["ask"]
                if not self._dqpush(request):
                    self._mqpush(request)
        return opened

    def close(self, reason: str) -> Any:
        """Note the answered requests, and close the queues."""
        self._note_done()
        return super().close(reason)

    def enqueue_request(self, request: Request) -> bool:
        """Add a request and note it in the journal, unless it is a duplicate."""
        # A retry and a redirect have the number of the request before.
        is_first = request.meta.pop(NUMBER, None) is None
        entry = self._entry_of(request)
        if self.journal is None or entry is None:
            return super().enqueue_request(request)
        try:
            is_repeatable = request.dont_filter and is_first and _is_start(request)
            if is_repeatable and self.journal.is_resumed and self.df.request_seen(request):
                return False  # an earlier run asked for it
            request.meta[NUMBER] = self.journal.count + 1
            is_new = super().enqueue_request(request)
        except OSError as error:
            self._refusal = error
            return False
        if is_new:
            self.journal.ask(entry)
        return is_new

    def next_request(self) -> Request | None:
        """Return the next request; None if the queue is empty or nothing more can be stored."""
        self._note_done()
        try:
            request = None if self._is_full() else super().next_request()
        except OSError as error:
            self._refusal = error
            return None
        if request is not None and NUMBER in request.meta:
            self._asked[request] = request.meta[NUMBER]
        return request

    def has_pending_requests(self) -> bool:
        """Return whether `next_request` has a request."""
        return super().has_pending_requests() and not self._is_full()

    @property
    def fault(self) -> str | None:
        """Return why nothing more can be stored; None if it can."""
        if self._errors >= MAX_ERRORS:
            return f"{self._errors} items in a row met an error"
        if self._refusal is not None:
            return f"JOBDIR cannot be written: {describe(self._refusal)}"
        return self.journal.fault if self.journal is not None else None

    @classmethod
    def _journal_of(cls, crawler: Any) -> Journal | None:
        """Open the journal, and remove Scrapy's own files, which the run makes from it."""
        folder = crawler.settings["JOBDIR"]
        if not folder:
            raise SettingsError("SCHEDULER is a JobScheduler, and JOBDIR is not set: name a folder")
        journal = Journal("JOBDIR", folder, {"spider": crawler.spider.name})
        crawler.signals.connect(journal.close, signals.engine_stopped)
        rmtree(Path(folder, "requests.queue"), ignore_errors=True)
        Path(folder, "requests.seen").unlink(missing_ok=True)
        return journal

    def _entry_of(self, request: Request) -> dict[str, Any] | None:
        """Return the entry of the journal for a request; None if it has none."""
        try:
            content = pickle.dumps(request.to_dict(spider=self.spider))
        except Exception:  # of classes of the project
            return None
        return {"url": request.url, "request": b64encode(content).decode()}

    def _note_error(self, response: Any, signal: Any) -> None:
        self._errors += signal is signals.item_error
        request = getattr(response, "request", None)
        if request is not None and NUMBER in request.meta:
            self._failed.add(request.meta[NUMBER])

    def _note_item(self) -> None:
        self._errors = 0

    def _note_done(self) -> None:
        """Note the requests that the engine has finished: their links and items are stored."""
        slot = self.crawler.engine._slot
        under_way = slot.inprogress if slot is not None else set()
        for request in [request for request in self._asked if request not in under_way]:
            number = self._asked.pop(request)
            if self.journal is not None and self.fault is None and number not in self._failed:
                self.journal.done(number)

    def _is_full(self) -> bool:
        return self.fault is not None

    def _end(self) -> None:
        """Close the spider with a reason if nothing more can be stored."""
        if self.fault is not None:
            logger.error("webtext: the crawl cannot go on: %s", self.fault)
            raise CloseSpider(JOB_FAILED)


def _is_start(request: Request) -> bool:
    return bool(request.meta.get("is_start_request"))
