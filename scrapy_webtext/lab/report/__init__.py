"""The HTML report of one page: the signals and the chosen blocks of each extractor.

It draws :class:`~scrapy_webtext.results.Signal` values by their unit and knows no algorithm.
"""

from scrapy_webtext.lab.report.document import render_report
from scrapy_webtext.lab.report.views import ExtractorView, PageJudgement

__all__ = ["ExtractorView", "PageJudgement", "render_report"]
