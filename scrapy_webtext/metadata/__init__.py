"""The metadata of an article: title, authors, dates, language, and so on.

Like an extractor it is pure: it reads the columns of a `Page` and the blocks that an `Extraction`
chose. `sources` yields the candidates that a page declares, `surroundings` yields visible blocks
near the text. `title`, `authors`, `published`, `language` and `fields` choose among the candidates.
Words, months and patterns are in ``data``.
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
