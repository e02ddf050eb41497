"""One page in, one result out: ``extract(html)`` for notebooks, ``extract_page`` for the glue."""

from __future__ import annotations

from typing import Any, Final

from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import make_extractor, make_judge
from scrapy_webtext.results import Extractor, Judge, WebTextResult

DEFAULT_EXTRACTOR: Final = "pvalue"
DEFAULT_JUDGE: Final = "pvalue"
DEFAULT_THRESHOLD: Final = 0.5


def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    extractor: str | Extractor | None = None,
    judge: str | Judge | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    **options: Any,
) -> WebTextResult:
    """Return the main text of a page and whether it has an article.

    ``extractor`` and ``judge`` are registered names, dotted paths or ready objects; without one,
    the defaults of the settings. ``options`` are parameters of the extractor. ``bytes`` are
    decoded as Scrapy would. Any HTML gives a result, if an empty one; SettingsError for an
    unknown name or parameter, TypeError where ``html`` is neither str nor bytes.

    >>> extract("<article><p>One day it rained.</p></article>").main_text
    'One day it rained.'
    """
    if not isinstance(html, str | bytes):
        raise TypeError(f"html must be str or bytes, not {type(html).__name__}")
    if extractor is None or isinstance(extractor, str):
        extractor = make_extractor(extractor or DEFAULT_EXTRACTOR, options)
    elif options:
        raise TypeError(f"options {sorted(options)} need an extractor given by name")
    if judge is None or isinstance(judge, str):
        judge = make_judge(judge or DEFAULT_JUDGE)
    return extract_page(parse(html, url=url), extractor, judge, threshold)


def extract_page(
    page: Page, extractor: Extractor, judge: Judge, threshold: float = DEFAULT_THRESHOLD
) -> WebTextResult:
    """Return the result of a ready page."""
    extraction = extractor.extract(page)
    judgement = judge.judge(page, threshold)
    return WebTextResult(
        main_text=extraction.text,
        has_article=judgement.has_article,
        p_value=judgement.p_value,
        score=extraction.score,
        extractor=extraction.extractor,
    )
