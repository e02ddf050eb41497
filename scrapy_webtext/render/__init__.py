"""Chosen blocks as text, Markdown, HTML and rows, all made of one outline.

`containers` says in which lists, tables, quotes and code text stands, `layout` which tables are
tables, `outline` brings both together. `plain_text`, `markdown`, `html` and `rows` render it.
"""

from scrapy_webtext.render.formats import FORMATS, render_formats
from scrapy_webtext.render.html import render_html
from scrapy_webtext.render.markdown import render_markdown
from scrapy_webtext.render.outline import (
    Outline,
    blocks_in_tables,
    outline_of_blocks,
    outline_of_lines,
    outline_of_runs,
)
from scrapy_webtext.render.plain_text import render_blocks, render_runs, render_text
from scrapy_webtext.render.rows import TextBlock, render_rows

__all__ = [
    "FORMATS",
    "Outline",
    "TextBlock",
    "blocks_in_tables",
    "outline_of_blocks",
    "outline_of_lines",
    "outline_of_runs",
    "render_blocks",
    "render_formats",
    "render_html",
    "render_markdown",
    "render_rows",
    "render_runs",
    "render_text",
]
