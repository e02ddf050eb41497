"""One parse of a page into read-only tables. The only package that touches lxml."""

from scrapy_webtext.page.encoding import as_utf8, decode, decode_fixed, is_html
from scrapy_webtext.page.nodes import Nodes
from scrapy_webtext.page.parse import from_root, parse
from scrapy_webtext.page.render import render_blocks, render_runs
from scrapy_webtext.page.sums import prefix_sums, subtree_sums
from scrapy_webtext.page.text import Block, Blocks, Runs
from scrapy_webtext.page.tree import Page
from scrapy_webtext.page.words import count_words

__all__ = [
    "Block",
    "Blocks",
    "Nodes",
    "Page",
    "Runs",
    "as_utf8",
    "count_words",
    "decode",
    "decode_fixed",
    "from_root",
    "is_html",
    "parse",
    "prefix_sums",
    "render_blocks",
    "render_runs",
    "subtree_sums",
]
