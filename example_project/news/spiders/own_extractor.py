"""Chooses another extractor by custom_settings: the custom extractor of the project."""

from __future__ import annotations

from news.spiders.news import NewsSpider


class OwnExtractorSpider(NewsSpider):
    """A registered name is also possible, as on the command line: -s WEBTEXT_EXTRACTOR=pvalue."""

    name = "own_extractor"
    custom_settings = {
        "WEBTEXT_EXTRACTOR": "news.extractors.LongBlocks",
        "WEBTEXT_EXTRACTOR_OPTIONS": {"min_chars": 60},
    }
