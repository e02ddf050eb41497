"""The memory of a crawl, by site: repeated text, and figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from scrapy_webtext.crawling.site_stats import SiteStats
from scrapy_webtext.crawling.stats import CrawlStats, logger
from scrapy_webtext.errors import InputError
from scrapy_webtext.extraction import combine, without_blocks
from scrapy_webtext.metadata import describe_article
from scrapy_webtext.page import Page
from scrapy_webtext.repeats import Repeats
from scrapy_webtext.results import Extraction, Judgement, WebTextResult
from scrapy_webtext.settings import WebtextSettings


class SiteMemory:
    """The memory of one crawl, as its settings ask for."""

    def __init__(self, settings: WebtextSettings, stats: CrawlStats) -> None:
        self._on_repeats, self._stats = settings.repeats, stats
        self._repeats = Repeats()
        path = settings.site_stats if settings.enabled else None
        self._figures = SiteStats(path) if path is not None else None
        #: Whether a setting needs the repeats of texts.
        self.is_needed = bool(settings.repeats or path or "text_repeats" in settings.fields)

    def judged(self, host: str, judgement: Judgement) -> None:
        """Count a page of a site."""
        if self._figures is not None:
            self._figures.judged(host, judgement.has_article)

    def combined(
        self,
        host: str,
        extraction: Extraction,
        judgement: Judgement,
        page: Page,
        formats: Collection[str],
        version: str | None,
    ) -> WebTextResult:
        """Return the result of a page, counted, with what earlier pages of the site had of it."""
        seen = self._repeats.see(host, page, extraction.text, extraction.chosen)
        if self._figures is not None:
            language = describe_article(page, extraction, ("language",))["language"] or ""
            text, score = extraction.text, extraction.score
            self._figures.extracted(host, text, score, language, seen.is_no_article)
        self._stats.count("sites/repeated_blocks", len(seen.blocks))
        if seen.is_no_article:
            self._stats.count("sites/repeated_texts")
            judgement = replace(judgement, has_article=False)
        if self._on_repeats == "drop" and judgement.has_article:
            extraction = without_blocks(page, extraction, seen.blocks)
        found = combine(extraction, judgement, page, formats, version)
        rows = found.blocks
        if rows is not None and seen.blocks:
            repeated = {page.blocks.text[block] for block in seen.blocks}
            rows = tuple(replace(row, is_repeated=row.text in repeated) for row in rows)
        return replace(found, text_repeats=seen.text_repeats, blocks=rows)

    def changes(self) -> Mapping[str, str]:
        """Return by site what changed since the crawl before, in words."""
        return self._figures.changes() if self._figures is not None else {}

    def close(self) -> None:
        """Log what changed, and store the figures; a fault is logged and counted."""
        if self._figures is None:
            return
        for host, words in self.changes().items():
            self._stats.count("sites/changed")
            logger.warning("webtext: %s has changed since the last crawl: %s", host, words)
        try:
            self._figures.store()
        except (InputError, OSError) as error:
            self._stats.fault(error, "the figures of WEBTEXT_SITE_STATS could not be written")
