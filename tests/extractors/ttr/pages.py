"""What tests of text-to-tag ratios share."""

from __future__ import annotations

from typing import Any, get_args

from scrapy_webtext import extract
from scrapy_webtext.extractors.ttr import TextToTagRatioExtractor
from scrapy_webtext.extractors.ttr.extractor import Clustering
from scrapy_webtext.page import parse

#: Prose between navigation, on one line and on many.
STORY = [f"<p>Rain fell on the town all day long, for the {n}. time.</p>" for n in range(9)]


LINKS = [f"<li><a href='/{n}'>Page {n}</a></li>" for n in range(30)]


PARTS = ["<ul>", *LINKS, "</ul>", *STORY, "<ul>", *LINKS, "</ul>"]


STORY_TEXT = [f"Rain fell on the town all day long, for the {n}. time." for n in range(9)]


CLUSTERINGS = get_args(Clustering)


def ratios_of(html: str, **options: Any) -> list[float]:
    extractor = TextToTagRatioExtractor(**options)
    return list(extractor.signals(parse(html))[0].values)


def text_of(html: str, **options: Any) -> str:
    return extract(html, extractor="ttr", **options).main_text
