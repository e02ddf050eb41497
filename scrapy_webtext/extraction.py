"""One page in, one result out: ``extract(html)`` for notebooks, ``extract_page`` for the glue."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, overload

from scrapy_webtext import setting_values as values
from scrapy_webtext.errors import NotHtmlError, SettingsError
from scrapy_webtext.page import FORMATS, Page, parse, render_formats, what_else
from scrapy_webtext.registry import Target, make_extractor, make_judge
from scrapy_webtext.results import Extraction, Extractor, Judge, Judgement, WebTextResult

if TYPE_CHECKING:
    from scrapy.http import Response

    from scrapy_webtext.crawling.callbacks import PendingResult

DEFAULT_EXTRACTOR: Final = "fusion"
DEFAULT_JUDGE: Final = "pvalue"
DEFAULT_THRESHOLD: Final = 0.5


@overload
def extract(
    html: str | bytes,
    *,
    url: str | None = ...,
    extractor: Target | Extractor | None = ...,
    judge: Target | Judge | None = ...,
    threshold: float | None = ...,
    include: str | Collection[str] = ...,
    **options: Any,
) -> WebTextResult: ...


@overload
def extract(
    html: Response,
    *,
    url: str | None = ...,
    extractor: Target | Extractor | None = ...,
    judge: Target | Judge | None = ...,
    threshold: float | None = ...,
    include: str | Collection[str] = ...,
    **options: Any,
) -> PendingResult: ...


def extract(
    html: str | bytes | Response,
    *,
    url: str | None = None,
    extractor: Target | Extractor | None = None,
    judge: Target | Judge | None = None,
    threshold: float | None = None,
    include: str | Collection[str] = (),
    **options: Any,
) -> WebTextResult | PendingResult:
    """Return the main text of a page and whether it has an article.

    ``extractor`` and ``judge`` are registered names, dotted paths, classes or ready objects;
    without one, the defaults of the settings, and so for ``threshold`` (0.5). ``options`` are
    parameters of the extractor. ``include`` names further renderings of the text:
    "main_markdown", "main_html", "blocks". ``bytes`` are decoded as Scrapy would. Any HTML gives
    a result, if an empty one. NotHtmlError for what is an address, JSON, a PDF or a picture,
    SettingsError for an unknown name or a parameter that is not allowed, TypeError for input of
    another type.

    In a callback, ``await extract(response)``: the result is the one that the pipeline uses,
    with the crawl's settings, computed once. A fault or a response that is no HTML does not
    raise: ``result.status`` is "failed" or "skipped" then.

    >>> extract("<article><p>One day it rained.</p></article>").main_text
    'One day it rained.'
    """
    if not isinstance(html, str | bytes):
        from scrapy_webtext.crawling.callbacks import extract_response  # only a crawl has responses

        return extract_response(html, extractor, judge, threshold, include, options)
    _check_html(html)
    threshold = values.threshold("threshold", DEFAULT_THRESHOLD if threshold is None else threshold)
    extractor, judge = extractor or DEFAULT_EXTRACTOR, judge or DEFAULT_JUDGE
    ready_extractor, ready_judge = resolve(extractor, judge, options)
    formats = format_names(include)
    return extract_page(parse(html, url=url), ready_extractor, ready_judge, threshold, formats)


def _check_html(html: str | bytes) -> None:
    other = what_else(html)
    if other == "an address":
        address = html.decode("latin-1") if isinstance(html, bytes) else html
        raise NotHtmlError(
            f"extract() takes the HTML of a page, not its address ({address.strip()[:200]}): fetch "
            "it first, or run: scrapy webtext extract ADDRESS"
        )
    if other:
        raise NotHtmlError(f"extract() takes HTML, and this is {other}: give it pages alone")


def resolve(
    extractor: Target | Extractor,
    judge: Target | Judge,
    options: Mapping[str, Any],
    judge_options: Mapping[str, Any] | None = None,
) -> tuple[Extractor, Judge]:
    """Return the extractor and the judge, made with their options where given by name."""
    if isinstance(extractor, str | type):
        extractor = make_extractor(extractor, options)
    elif options:
        raise TypeError(f"options {sorted(options)} need an extractor given by name")
    if isinstance(judge, str | type):
        judge = make_judge(judge, judge_options)
    return extractor, judge


def format_names(include: str | Collection[str]) -> frozenset[str]:
    """Return the names of renderings that are asked for; SettingsError for an unknown one."""
    names = frozenset([include] if isinstance(include, str) else include)
    unknown = sorted(map(repr, names - set(FORMATS)))
    if unknown:
        raise SettingsError(f"include has {unknown[0]}; it takes: {', '.join(FORMATS)}")
    return names


def extract_page(
    page: Page,
    extractor: Extractor,
    judge: Judge,
    threshold: float = DEFAULT_THRESHOLD,
    formats: Collection[str] = (),
) -> WebTextResult:
    """Return the result of a ready page, whose attributes were read if formats are asked for."""
    extraction = extractor.extract(page)
    return combine(extraction, checked(judge.judge(page, threshold)), page, formats)


def combine(
    extraction: Extraction,
    judgement: Judgement,
    page: Page | None = None,
    formats: Collection[str] = (),
) -> WebTextResult:
    """Return the result of both; TypeError where an extractor returned something else.

    ``formats`` are rendered of the page that the text is from.
    """
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
        **_rendered(extraction, page, formats),
    )


def _rendered(
    extraction: Extraction, page: Page | None, formats: Collection[str]
) -> dict[str, Any]:
    if not formats or page is None:
        return {}
    return render_formats(page, extraction.text, extraction.chosen, extraction.runs, formats)


def skipped(extractor: str, reason: str) -> WebTextResult:
    """Return the result of a response that was left alone."""
    return WebTextResult("", None, None, None, extractor, None, "skipped", reason)


def failed(extractor: str, reason: str, judgement: Judgement | None = None) -> WebTextResult:
    """Return the result of a page on which the extractor failed, or the judge if there is none."""
    if judgement is None:
        return WebTextResult("", None, None, None, extractor, None, "failed", reason)
    return WebTextResult(
        main_text="",
        has_article=judgement.has_article,
        p_value=judgement.p_value,
        score=None,
        extractor=extractor,
        article_probability=judgement.probability,
        status="failed",
        reason=reason,
    )


def checked(judgement: Judgement) -> Judgement:
    """Return a judgement; TypeError where a judge returned something else."""
    if not isinstance(judgement, Judgement):
        raise TypeError(f"judge(page) must return a Judgement, not {type(judgement).__name__}")
    return judgement


def _check(name: str, value: object, kind: type | tuple[type, ...]) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"the {name} of an Extraction cannot be of {type(value).__name__}")
