"""A page: the HTML parsed once into read-only columns. lxml is used here and in `core.reader`."""

from scrapy_webtext.page.nodes import Nodes as Nodes
from scrapy_webtext.page.page import Page as Page
from scrapy_webtext.page.parse import from_root as from_root
from scrapy_webtext.page.parse import parse as parse
from scrapy_webtext.page.parse import parse_utf8 as parse_utf8
from scrapy_webtext.page.text import Block as Block
from scrapy_webtext.page.text import Blocks as Blocks
from scrapy_webtext.page.text import Runs as Runs
