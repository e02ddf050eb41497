"""``scrapy webtext extract``: the main text of pages, as text or as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from scrapy_webtext.cli.output import Output
from scrapy_webtext.cli.progress import Progress
from scrapy_webtext.extraction import combine
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extractor, Judge


@dataclass(frozen=True)
class PageReader:
    """Turns a page into the record that is printed."""

    extractor: Extractor
    judge: Judge
    threshold: float

    def read(self, source: str, page: Page) -> dict[str, Any]:
        """Return the result of a page with all scores; the keys are those of the JSON output."""
        judgement = self.judge.judge(page, self.threshold)
        result = combine(self.extractor.extract(page), judgement)
        return {
            "source": source,
            "url": page.url,
            "title": page.title,
            "has_article": result.has_article,
            "probability": judgement.probability,
            "threshold": self.threshold,
            "judge": self.judge.name,
            "p_value": result.p_value,
            "extractor": result.extractor,
            "score": result.score,
            "main_text": result.main_text,
        }


def as_json(record: dict[str, Any]) -> str:
    """Return a record as one line of JSON."""
    return json.dumps(record, ensure_ascii=False) + "\n"


def as_text(record: dict[str, Any]) -> str:
    """Return the text of the only page."""
    return f"{record['main_text']}\n"


def as_headed_text(record: dict[str, Any]) -> str:
    """Return the text of one of several pages, its source above it."""
    return f"==> {record['source']} <==\n{record['main_text']}\n\n"


@dataclass
class ExtractJob:
    """Prints the results of pages in the order asked for, whatever the order of arrival."""

    sources: list[str]
    reader: PageReader
    output: Output
    progress: Progress
    form: Any  #: record -> text
    failures: list[str] = field(default_factory=list)
    _ready: dict[int, str] = field(default_factory=dict)
    _next: int = 0

    def receive(self, number: int, page: Page) -> None:
        """Print the result of a page, once all before it are printed."""
        source = self.sources[number]
        try:
            record = self.reader.read(source, page)
        except Exception as error:  # of a user's own extractor, on one page of many
            self.fail(number, f"{source}: {type(error).__name__}: {error}")
            return
        self._done(number, self.form(record))
        if not record["main_text"]:
            self.progress.say(f"{source}: no main text found")

    def fail(self, number: int, reason: str) -> None:
        """Keep the reason why a page has no result."""
        self.failures.append(reason)
        self._done(number, "")

    def _done(self, number: int, text: str) -> None:
        self._ready[number] = text
        while self._next in self._ready:
            self.output.write(self._ready.pop(self._next))
            self._next += 1
        self.progress.step()
