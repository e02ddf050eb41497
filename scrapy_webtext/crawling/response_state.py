"""The state of one response in a crawl: judged or not, extracted or not, why it is skipped."""

from __future__ import annotations

from scrapy_webtext.page import Page
from scrapy_webtext.registry import Part
from scrapy_webtext.results import Extraction, Extractor, Judge, Judgement, WebTextResult
from scrapy_webtext.settings import WebtextSettings
from scrapy_webtext.worker import TimedFuture


class ResponseState:
    """The state of one response, under one set of settings."""

    __slots__ = (
        "callback", "extraction", "extractor", "formats", "is_counted", "judge", "judgement",
        "judging", "page", "requested", "result", "settings", "skipped",
    )  # fmt: skip

    def __init__(
        self,
        settings: WebtextSettings,
        extractor: Extractor | None = None,
        judge: Judge | None = None,
        formats: frozenset[str] = frozenset(),
    ) -> None:
        self.settings = settings
        self.formats = settings.formats | formats  #: renderings of the text, beside it
        self.extractor: Part | Extractor = extractor or settings.extractor_part
        self.judge: Part | Judge = judge or settings.judge_part
        self.is_counted = False  #: in the stats of responses
        self.skipped: str | None = None  #: the reason if it is skipped
        self.callback = ""  #: the name of its request's, "" for the spider's ``parse``
        self.page: Page | None = None  #: kept from the judgement to the result, no longer
        self.judging: TimedFuture[Judgement] | None = None
        self.judgement: Judgement | None = None
        self.extraction: TimedFuture[Extraction] | None = None
        self.result: WebTextResult | None = None
        #: The state for a caller of `extract`, if the crawl skips the response.
        self.requested: ResponseState | None = None

    @property
    def is_judged(self) -> bool:
        """Whether the judgement is done; only the extraction may be missing."""
        return self.judgement is not None or self.skipped is not None or self.result is not None

    @property
    def has_no_article(self) -> bool:
        """Whether the judge found no article; False if the response was not judged."""
        return self.judgement is not None and not self.judgement.has_article

    @property
    def extractor_name(self) -> str:
        """The name of the extractor, for results that it did not compute."""
        part = self.extractor
        return part.shown if isinstance(part, Part) else getattr(part, "name", type(part).__name__)
