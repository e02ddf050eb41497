"""A page: the HTML parsed once into read-only tables. The only package that uses lxml."""

from scrapy_webtext.page.columns import IS_COMPILED
from scrapy_webtext.page.encoding import (
    decode,
    decode_fixed,
    file_kind,
    is_foreign_codec,
    is_html,
    repaired,
    storable_text,
    what_else,
)
from scrapy_webtext.page.lines import TAG
from scrapy_webtext.page.nodes import Nodes, either, prefix_sums, subtree_sums
from scrapy_webtext.page.parse import from_root, parse
from scrapy_webtext.page.size_limits import has_more_elements, has_swollen_tag
from scrapy_webtext.page.text import Block, Blocks, Runs
from scrapy_webtext.page.tree import Page
from scrapy_webtext.page.words import count_words

__all__ = [
    "IS_COMPILED",
    "TAG",
    "Block",
    "Blocks",
    "Nodes",
    "Page",
    "Runs",
    "count_words",
    "decode",
    "decode_fixed",
    "either",
    "file_kind",
    "from_root",
    "has_more_elements",
    "has_swollen_tag",
    "is_foreign_codec",
    "is_html",
    "parse",
    "prefix_sums",
    "repaired",
    "storable_text",
    "subtree_sums",
    "what_else",
]
