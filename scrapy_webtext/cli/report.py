"""``scrapy webtext report``: the picture of one page."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_webtext.errors import InputError
from scrapy_webtext.lab.report import ExtractorView, PageJudgement, render_report
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extractor, Judge, SignalSource


class OnePage:
    """Keeps the only page that was read, or the reason why there is none."""

    def __init__(self) -> None:
        self._page: Page | None = None
        self._reason = ""

    def receive(self, number: int, page: Page) -> None:  # noqa: ARG002
        """Keep the page."""
        self._page = page

    def fail(self, number: int, reason: str) -> None:  # noqa: ARG002
        """Keep the reason."""
        self._reason = reason

    def page(self) -> Page:
        """Return the page; InputError with the reason where there is none."""
        if self._page is None:
            raise InputError(self._reason)
        return self._page


def report_html(page: Page, extractors: Sequence[Extractor], judge: Judge, threshold: float) -> str:
    """Return the report of a page, the extractors in this order."""
    judgement = PageJudgement(judge.judge(page, threshold), threshold, judge.name)
    return render_report(page, [read(page, one) for one in extractors], judgement)


def read(page: Page, extractor: Extractor) -> ExtractorView:
    """Return what an extractor does with a page, and its signals where it has any."""
    signals = extractor.signals(page) if isinstance(extractor, SignalSource) else ()
    return ExtractorView(extractor.extract(page), signals)
