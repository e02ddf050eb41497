"""Other packages' extractors under our protocol, so that a crawl can compare them and move.

``trafilatura``, ``resiliparse``, ``readability`` (readability-lxml) and ``newspaper4k`` are
registered; the extra ``peers`` has their packages, which are imported when an extractor is made.
Each reads the HTML of the page anew and gives a text; what blocks of the page it is made of is
found by their words (`blocks`).
"""

from scrapy_webtext.extractors.peers.extractor import (
    Newspaper4kExtractor,
    ReadabilityExtractor,
    ResiliparseExtractor,
    TrafilaturaExtractor,
)

__all__ = [
    "Newspaper4kExtractor",
    "ReadabilityExtractor",
    "ResiliparseExtractor",
    "TrafilaturaExtractor",
]
