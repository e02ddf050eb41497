"""What an article says of itself beside its text: title, authors, dates, language, and so on.

Pure like an extractor: it reads the columns of a `Page` and the blocks that an `Extraction` chose.
A source is a file (`jsonld`, `microdata`, `meta_tags`), and so is a field (`headline`, `byline`,
`published`, `language`, ...); `sources` holds what several fields read, `fields` lists them.
"""

from scrapy_webtext.metadata.fields import (
    FIELDS,
    Metadata,
    describe_article,
    headline_block,
    metadata,
)
from scrapy_webtext.metadata.fingerprint import distance, fingerprint

__all__ = [
    "FIELDS",
    "Metadata",
    "describe_article",
    "distance",
    "fingerprint",
    "headline_block",
    "metadata",
]
