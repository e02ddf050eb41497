"""Another extractor, chosen by custom_settings: here one of the project's own."""

from __future__ import annotations

from news.spiders.news import NewsSpider


class OwnExtractorSpider(NewsSpider):
    """A registered name goes as well, here or on the command line: -s WEBTEXT_EXTRACTOR=pvalue."""

    name = "own_extractor"
    custom_settings = {
        "WEBTEXT_EXTRACTOR": "news.extractors.LongBlocks",
        "WEBTEXT_EXTRACTOR_OPTIONS": {"min_chars": 60},
    }
