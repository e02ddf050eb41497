"""What tests of the P value share."""

from __future__ import annotations

from scrapy_webtext import extract
from scrapy_webtext.extractors.pvalue import PValueExtractor, PValueJudge
from scrapy_webtext.page import parse


def p_by_tag(html: str, extractor: PValueExtractor | None = None) -> dict[str, float]:
    page = parse(html)
    values = (extractor or PValueExtractor()).values(page)
    return dict(zip(page.nodes.tag, values.p, strict=True))


def page_p(html: str, judge: PValueJudge | None = None) -> float:
    return (judge or PValueJudge()).judge(parse(html)).p_value


def text_of(html: str) -> str:
    return extract(html, extractor="pvalue").main_text
