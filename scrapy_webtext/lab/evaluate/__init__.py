"""Scores of extractors and judges on labelled pages."""

from scrapy_webtext.lab.evaluate.run import score_extractors, score_judges
from scrapy_webtext.lab.evaluate.scores import (
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
