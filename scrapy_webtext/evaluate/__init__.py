"""Scores of extractors and judges on labelled pages: ``python -m scrapy_webtext.evaluate -h``."""

from scrapy_webtext.evaluate.run import score_extractors, score_judges
from scrapy_webtext.evaluate.scores import (
    ExtractorScore,
    JudgedPage,
    JudgeScore,
    PageScore,
)

__all__ = [
    "ExtractorScore",
    "JudgeScore",
    "JudgedPage",
    "PageScore",
    "score_extractors",
    "score_judges",
]
