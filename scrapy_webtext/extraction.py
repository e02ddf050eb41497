"""One page in, one result out: ``extract(html)`` for notebooks, ``extract_page`` for the glue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import attributes_for, make_extractor, make_judge
from scrapy_webtext.results import Extraction, Extractor, Judge, Judgement, WebTextResult

if TYPE_CHECKING:
    from scrapy.http import Response

DEFAULT_EXTRACTOR: Final = "fusion"
DEFAULT_JUDGE: Final = "pvalue"
DEFAULT_THRESHOLD: Final = 0.5


def extract(
    html: str | bytes | Response,
    *,
    url: str | None = None,
    extractor: str | Extractor | None = None,
    judge: str | Judge | None = None,
    threshold: float | None = None,
    **options: Any,
) -> WebTextResult:
    """Return the main text of a page and whether it has an article.

    ``extractor`` and ``judge`` are registered names, dotted paths or ready objects; without one,
    the defaults of the settings, and so for ``threshold`` (0.5). ``options`` are parameters of
    the extractor. ``bytes`` are decoded as Scrapy would. Any HTML gives a result, if an empty
    one; SettingsError for an unknown name or parameter, TypeError for input of another type.

    In a callback, pass the response: the result is the one that the pipeline uses, with the
    crawl's settings, computed once. It can be awaited, and must be under the executors
    ``thread`` and ``process``.

    >>> extract("<article><p>One day it rained.</p></article>").main_text
    'One day it rained.'
    """
    if not isinstance(html, str | bytes):
        from scrapy_webtext.callbacks import extract_response  # only a crawl has responses

        return extract_response(html, extractor, judge, threshold, options)
    extractor, judge = extractor or DEFAULT_EXTRACTOR, judge or DEFAULT_JUDGE
    ready_extractor, ready_judge = resolve(extractor, judge, options)
    page = parse(html, url=url, attributes=attributes_for(extractor, judge, {}))
    return extract_page(
        page, ready_extractor, ready_judge, DEFAULT_THRESHOLD if threshold is None else threshold
    )


def resolve(
    extractor: str | Extractor,
    judge: str | Judge,
    options: Mapping[str, Any],
    judge_options: Mapping[str, Any] | None = None,
) -> tuple[Extractor, Judge]:
    """Return the extractor and the judge, made with their options where given by name."""
    if isinstance(extractor, str):
        extractor = make_extractor(extractor, options)
    elif options:
        raise TypeError(f"options {sorted(options)} need an extractor given by name")
    if isinstance(judge, str):
        judge = make_judge(judge, judge_options)
    return extractor, judge


def extract_page(
    page: Page, extractor: Extractor, judge: Judge, threshold: float = DEFAULT_THRESHOLD
) -> WebTextResult:
    """Return the result of a ready page."""
    return combine(extractor.extract(page), checked(judge.judge(page, threshold)))


def combine(extraction: Extraction, judgement: Judgement) -> WebTextResult:
    """Return the result of both; TypeError where an extractor returned something else."""
    if not isinstance(extraction, Extraction):
        raise TypeError(f"extract(page) must return an Extraction, not {type(extraction).__name__}")
    _check("text", extraction.text, str)
    _check("score", extraction.score, (int, float))
    return WebTextResult(
        main_text=extraction.text,
        has_article=judgement.has_article,
        p_value=judgement.p_value,
        score=extraction.score,
        extractor=extraction.extractor,
        article_probability=judgement.probability,
    )


def checked(judgement: Judgement) -> Judgement:
    """Return a judgement; TypeError where a judge returned something else."""
    if not isinstance(judgement, Judgement):
        raise TypeError(f"judge(page) must return a Judgement, not {type(judgement).__name__}")
    return judgement


def _check(name: str, value: object, kind: type | tuple[type, ...]) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"the {name} of an Extraction cannot be of {type(value).__name__}")
