"""A custom extractor: any class with a name and a pure method extract(page)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scrapy_webtext.page import Page
from scrapy_webtext.render import render_blocks
from scrapy_webtext.results import Extraction


@dataclass(frozen=True)
class LongBlocks:
    """Takes every long block of text that is no list of links.

    ``score`` is the share of the page's characters in the text, in [0, 1].
    """

    name: ClassVar[str] = "long_blocks"

    min_chars: int = 80
    max_link_density: float = 0.3

    def extract(self, page: Page) -> Extraction:
        blocks = page.blocks
        chosen = tuple(
            b
            for b, (chars, link_chars) in enumerate(
                zip(blocks.chars, blocks.link_chars, strict=True)
            )
            if chars >= self.min_chars and link_chars <= self.max_link_density * chars
        )
        score = sum(blocks.chars[b] for b in chosen) / (sum(blocks.chars) or 1)
        return Extraction(render_blocks(page, chosen), score, self.name, chosen)
