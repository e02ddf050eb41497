"""Labelled pages: readers of corpora, and which blocks of a page their gold text is made of."""

from scrapy_webtext.lab.corpus.alignment import WordMatch, content_mask, match_words, tokens
from scrapy_webtext.lab.corpus.readers import LabelledPage, count_pages, read_corpora, read_corpus

__all__ = [
    "LabelledPage",
    "WordMatch",
    "content_mask",
    "count_pages",
    "match_words",
    "read_corpora",
    "read_corpus",
    "tokens",
]
