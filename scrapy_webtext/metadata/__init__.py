"""The metadata of an article: title, authors, dates, language, and so on.

Pure like an extractor: it reads the columns of a `Page` and the blocks that an `Extraction` chose.
`sources` yields the candidates that a page declares, `surroundings` the blocks that readers see;
`title`, `authors`, `published`, `language` and `fields` elect one. Words, months and patterns are
in ``data``.
"""

from scrapy_webtext.metadata.fields import FIELDS, describe_article, find_shown_headline
from scrapy_webtext.metadata.sources import Candidate
from scrapy_webtext.metadata.text import distance, fingerprint
from scrapy_webtext.metadata.title import find_chosen_headline

__all__ = [
    "FIELDS",
    "Candidate",
    "describe_article",
    "distance",
    "find_chosen_headline",
    "find_shown_headline",
    "fingerprint",
]
