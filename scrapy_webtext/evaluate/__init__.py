"""Scores of extractors and judges on labelled pages: ``python -m scrapy_webtext.evaluate -h``."""

from scrapy_webtext.evaluate.run import (
    ExtractorScore,
    JudgedPage,
    JudgeScore,
    PageScore,
    score_extractors,
    score_judges,
)

__all__ = [
    "ExtractorScore",
    "JudgeScore",
    "JudgedPage",
    "PageScore",
    "score_extractors",
    "score_judges",
]
