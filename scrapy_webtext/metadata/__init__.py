"""The metadata of an article: title, authors, dates, language, and so on.

Like an extractor it is pure: it reads the columns of a `Page` and the blocks that an `Extraction`
chose. `sources` yields the candidates that a page declares, `surroundings` yields visible blocks
near the text. `title`, `authors`, `published`, `language` and `fields` choose among the candidates.
Words, months and patterns are in ``data``.
"""

from scrapy_webtext.metadata.fields import FIELDS as FIELDS
from scrapy_webtext.metadata.fields import describe_article as describe_article
from scrapy_webtext.metadata.fields import find_shown_headline as find_shown_headline
from scrapy_webtext.metadata.sources import Candidate as Candidate
from scrapy_webtext.metadata.text import distance as distance
from scrapy_webtext.metadata.text import fingerprint as fingerprint
