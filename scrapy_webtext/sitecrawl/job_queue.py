"""A scheduler for crawls that continue after a crash.

::

    SCHEDULER = "scrapy_webtext.sitecrawl.job_queue.JobScheduler"
    JOBDIR = "job"

Scrapy writes the state of the queue into ``JOBDIR`` only when the spider closes. After ``kill -9``
the next run finds no queue, and the requests that were lost are marked as seen.

Here each run appends its steps to ``requests.jsonl``: one JSON object per line, whose first key is
the kind of the step::

    {"run": {...}}                                    a run begins
    {"ask": ID, "url": ..., ...}                      a request is in the queue
    {"done": ID}                                      a request is answered, its items are stored

A line is written after its step. So a killed run leaves requests with an "ask" line and no "done"
line, and the next run requests them again. A line that is no JSON is the incomplete line of a
killed run.
"""

from __future__ import annotations

import json
import logging
import pickle
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from scrapy import signals
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Request
from scrapy.utils.request import request_from_dict

from scrapy_webtext.crawling.private import in_progress
from scrapy_webtext.errors import InputError, SettingsError, WebtextError, describe, shown
from scrapy_webtext.files import lock_file

logger = logging.getLogger("scrapy_webtext")

#: Key of ``request.meta`` with the id of a request in the journal.
NUMBER: Final = "webtext_number"

#: Finish reason of a crawl that cannot store anything any more.
JOB_FAILED: Final = "webtext_job_failed"

#: A crawl ends after this many errors of items without a stored item between them.
MAX_ERRORS: Final = 20


JOURNAL: Final = "requests.jsonl"


class Journal:
    """The journal of a job, open and locked for one run.

    Error messages name ``option``. ``purpose`` identifies the crawl and must be the same in each
    run. Raise InputError if the folder is no job, or the job of another crawl, or in use by another
    run.
    """

    def __init__(self, option: str, folder: str, purpose: dict[str, Any]) -> None:
        self.fault: str | None = None  #: the first error of writing; nothing is written after it
        self.count = 0  #: id of the last request in the journal
        self.name = f"{option} {folder}"
        self._path = Path(folder, JOURNAL)
        #: The "run" entry of the previous run, which this run continues; None for the first run.
        self.last: dict[str, Any] | None = None
        self._done: set[int] = set()
        self._file = self._open()
        try:
            self._begin(purpose)
        except BaseException:
            self._file.close()
            raise

    def ask(self, entry: dict[str, Any]) -> int:
        """Write a request and return its id."""
        self.count += 1
        self.write(line_of({"ask": self.count, **entry}))
        return self.count

    def done(self, number: int) -> None:
        """Write that a request is answered."""
        self.write(line_of({"done": number}))

    def asked(self) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield the entry of each request of earlier runs, and whether to request it again."""
        for entry in self._entries():
            if "ask" in entry:
                yield entry, entry["ask"] not in self._done

    def close(self) -> None:
        """Close the journal and unlock it."""
        self._file.close()

    def _open(self) -> Any:
        folder = self._path.parent
        try:
            if folder.exists() and not folder.is_dir():
                raise InputError(f"{self.name} is a file: name a folder")
            if folder.is_dir() and not self._path.is_file() and any(folder.iterdir()):
                raise self._no_job()
            folder.mkdir(parents=True, exist_ok=True)
            file = self._path.open("ab", buffering=0)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"{self.name} cannot be used: {reason}") from None
        repair = "wait until the other run ends, or name another folder"
        lock_file(file, f"{self.name} is in use: {repair}")
        return file

    def _no_job(self) -> InputError:
        return InputError(f"{self.name} is not empty and no job of a crawl: name a new folder")

    def _entries(self) -> Iterator[dict[str, Any]]:
        with self._path.open("rb") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    continue

    def _begin(self, purpose: dict[str, Any]) -> None:
        """Read the steps of earlier runs, and write the first entry of this run."""
        try:
            for entry in self._entries():
                self._take(entry)
        except (KeyError, TypeError):  # a file of another program
            raise self._no_job() from None
        if self.last is None and self._path.stat().st_size:
            raise self._no_job()
        if self.last is not None and self.last["run"] != purpose:
            words = shown(json.dumps(self.last["run"]))
            repair = "repeat its addresses and options, or name another folder"
            raise InputError(f"{self.name} is of another crawl, {words}: {repair}")
        run = {"run": purpose, **self._run()}
        self.write(b"\n" + line_of(run))  # the last line may be half a line

    def _run(self) -> dict[str, Any]:
        """Return the keys that a run's first entry has besides "run"."""
        return {}

    def _take(self, entry: dict[str, Any]) -> None:
        if "run" in entry:
            self.last = entry
        elif "ask" in entry:
            self.count = entry["ask"]
        else:
            self._done.add(entry["done"])

    def write(self, content: bytes) -> None:
        """Append lines; do nothing after a fault."""
        try:
            while content and self.fault is None:
                content = content[self._file.write(content) :]
        except OSError as error:
            self.fault = f"{self.name} cannot be written: {error.strerror or describe(error)}"


def line_of(entry: dict[str, Any]) -> bytes:
    """Return the line of an entry."""
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"


class JobScheduler(Scheduler):
    """Scrapy's scheduler with a journal in ``JOBDIR``, from which each run fills its queue.

    A request is done when its callback has ended and its items have left the last pipeline, without
    an error. It is not done if the server was away: without an answer, or with a status of
    ``RETRY_HTTP_CODES``. A run repeats all requests of earlier runs that are not done. Requests
    that Scrapy cannot serialize are not in the journal; the stat ``scheduler/unserializable``
    counts them.

    The crawl ends with the finish reason ``webtext_job_failed`` if ``JOBDIR`` cannot be written, or
    after `MAX_ERRORS` errors of items without a stored item between them.
    """

    journal: Journal | None
    crawler: Any
    spider: Any

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> JobScheduler:
        """Return the scheduler of a crawl; raise InputError if ``JOBDIR`` is of another crawl."""
        try:
            journal = cls._journal_of(crawler)
        except WebtextError as error:  # Scrapy shows it inside two tracebacks
            logger.error("webtext: the crawl cannot start: %s", error)
            raise
        scheduler = super().from_crawler(crawler)
        scheduler.journal = journal
        return scheduler

    def open(self, spider: Any) -> Any:
        """Open the queues; add the requests that earlier runs of the job left."""
        self._asked: dict[Request, int] = {}  #: requests in the engine -> their ids
        self._failed: set[int] = set()  #: ids of requests with an error
        self._sent: set[int] = set()  #: ids of requests that were sent and have no answer
        self._away = set(map(int, self.crawler.settings.getlist("RETRY_HTTP_CODES")))
        self._fingerprint = self.crawler.request_fingerprinter.fingerprint
        self._errors = 0  #: errors of items since the last stored item
        self._refusal: OSError | None = None  #: error of writing Scrapy's own files
        connect = self.crawler.signals.connect
        connect(self._end, signals.spider_idle)
        connect(self._note_error, signals.item_error)
        connect(self._note_error, signals.spider_error)
        connect(self._note_item, signals.item_scraped)
        connect(self._note_sent, signals.request_reached_downloader)
        connect(self._note_answer, signals.response_received)
        opened = super().open(spider)
        #: Fingerprint of an unfiltered start request -> how many of them earlier runs made.
        self._starts: Counter[bytes] = Counter()
        for entry, is_left in self.journal.asked() if self.journal is not None else ():
            request = self._request_of(entry, is_left)
            if is_left:
                request.meta[NUMBER] = entry["ask"]
                super().enqueue_request(request)
            elif not request.dont_filter:
                self.df.request_seen(request)
            if request.dont_filter and request.meta.get("is_start_request"):
                self._starts[self._fingerprint(request)] += 1
        return opened

    def close(self, reason: str) -> Any:
        """Note the answered requests, and close the queues."""
        self._note_done()
        return super().close(reason)

    def enqueue_request(self, request: Request) -> bool:
        """Add a request to the queue and the journal, unless it is a duplicate."""
        # A retry and a redirect carry the id of the original request.
        number = request.meta.pop(NUMBER, None)
        is_first = number is None
        self._sent.discard(number)
        entry = self._entry_of(request) if self.journal is not None else None
        if self.journal is None or entry is None:
            return super().enqueue_request(request)
        try:
            if request.dont_filter and is_first and request.meta.get("is_start_request"):
                fingerprint = self._fingerprint(request)
                if self._starts[fingerprint]:  # an earlier run asked for it
                    self._starts[fingerprint] -= 1
                    return False
            request.meta[NUMBER] = self.journal.count + 1
            is_new = super().enqueue_request(request)
        except OSError as error:
            self._refusal = error
            return False
        if is_new:
            self.journal.ask(entry)
        return is_new

    def next_request(self) -> Request | None:
        """Return the next request; None if the queue is empty or a fault prevents storing."""
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
        """Return whether `next_request` would return a request."""
        return super().has_pending_requests() and not self._is_full()

    @property
    def fault(self) -> str | None:
        """Return why nothing can be stored any more; None if there is no fault."""
        if self._errors >= MAX_ERRORS:
            return f"{self._errors} items in a row met an error"
        if self._refusal is not None:
            return f"JOBDIR cannot be written: {describe(self._refusal)}"
        return self.journal.fault if self.journal is not None else None

    @classmethod
    def _journal_of(cls, crawler: Any) -> Journal | None:
        """Open the journal; remove Scrapy's own files, which `open` rebuilds from the journal."""
        folder = crawler.settings["JOBDIR"]
        if not folder:
            raise SettingsError("SCHEDULER is a JobScheduler, and JOBDIR is not set: name a folder")
        journal = Journal("JOBDIR", folder, {"spider": crawler.spider.name})
        crawler.signals.connect(journal.close, signals.engine_stopped, weak=False)
        rmtree(Path(folder, "requests.queue"), ignore_errors=True)
        Path(folder, "requests.seen").unlink(missing_ok=True)
        return journal

    def _entry_of(self, request: Request) -> dict[str, Any] | None:
        """Return the entry of the journal for a request; None if it cannot be serialized."""
        try:
            content = pickle.dumps(request.to_dict(spider=self.spider))
        except Exception:  # classes of the project may raise anything
            return None
        return {"url": request.url, "request": b64encode(content).decode()}

    def _request_of(self, entry: dict[str, Any], is_left: bool) -> Request:
        """Return the request of an entry; without a callback if done, because it may be gone."""
        content = pickle.loads(b64decode(entry["request"]))
        if not is_left:
            content.update(callback=None, errback=None)
        try:
            return request_from_dict(content, spider=self.spider)
        except ValueError as error:  # a method that has another name now
            words = f"{shown(entry['url'])} that this spider cannot answer ({error})"
            repair = "give the method its old name, or name another folder"
            raise InputError(f"JOBDIR has a request of {words}: {repair}") from None

    def _note_error(self, response: Any, signal: Any) -> None:
        self._errors += signal is signals.item_error
        request = getattr(response, "request", None)
        if request is not None and NUMBER in request.meta:
            self._failed.add(request.meta[NUMBER])

    def _note_sent(self, request: Request) -> None:
        if NUMBER in request.meta:
            self._sent.add(request.meta[NUMBER])

    def _note_answer(self, response: Any, request: Request) -> None:
        if response.status not in self._away:
            self._sent.discard(request.meta.get(NUMBER))

    def _note_item(self) -> None:
        self._errors = 0

    def _note_done(self) -> None:
        """Write "done" for requests that the engine has finished without an error."""
        under_way = in_progress(self.crawler)
        for request in [request for request in self._asked if request not in under_way]:
            number = self._asked.pop(request)
            is_done = number not in self._failed and number not in self._sent
            if self.journal is not None and self.fault is None and is_done:
                self.journal.done(number)

    def _is_full(self) -> bool:
        return self.fault is not None

    def _end(self) -> None:
        """Close the spider if a fault prevents storing; called when the spider is idle."""
        if self.fault is not None:
            logger.error("webtext: the crawl cannot go on: %s", self.fault)
            raise CloseSpider(JOB_FAILED)
