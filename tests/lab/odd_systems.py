"""Extractors and judges for the tests, named by dotted path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scrapy_webtext.page import Page
from scrapy_webtext.reader import PageReader
from scrapy_webtext.results import Extraction, Judgement


@dataclass(frozen=True)
class Title:
    """Return the title, with a suffix."""

    name: ClassVar[str] = "title"
    suffix: str = ""

    def extract(self, page: Page) -> Extraction:
        return Extraction(page.title + self.suffix, 1.0, self.name)


@dataclass(frozen=True)
class Fails:
    """Raise on pages whose title begins with Bad."""

    name: ClassVar[str] = "fails"

    def extract(self, page: Page) -> Extraction:
        if page.title.startswith("Bad"):
            raise RuntimeError("no text for bad pages")
        return Extraction(page.title, 1.0, self.name)


@dataclass(frozen=True)
class Length:
    """Judge by the title: the probability is a tenth per character, P is half of it."""

    name: ClassVar[str] = "length"

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        p = min(1.0, len(page.title) / 10)
        return Judgement(p >= threshold, p, p / 2)


LENGTH = PageReader(Title(), Length())
