"""From a page to a result, by an extractor and a judge. Users call `scrapy_webtext.api`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.notice import find_notice
from scrapy_webtext.page import Page
from scrapy_webtext.provenance import VERSION
from scrapy_webtext.registry import DEFAULT_THRESHOLD
from scrapy_webtext.render import FORMATS, render_blocks, render_formats, render_runs
from scrapy_webtext.results import (
    DESCRIBED,
    Extraction,
    Extractor,
    Judge,
    Judgement,
    Status,
    WebTextResult,
)

#: Optional result fields: the version, renderings of the text, and metadata.
INCLUDED: Final = (VERSION, *FORMATS, *DESCRIBED)

ALL: Final = "all"  #: all optional result fields


def format_names(include: str | Collection[str]) -> frozenset[str]:
    """Return the names of optional result fields; SettingsError for an unknown name."""
    if include == ALL:
        return frozenset(INCLUDED)
    names = frozenset([include] if isinstance(include, str) else include)
    unknown = sorted(map(repr, names - set(INCLUDED)))
    if unknown:
        allowed = ", ".join(INCLUDED)
        raise SettingsError(f"include has {unknown[0]}; it takes: {allowed}, or {ALL!r}")
    return names


def extract_page(
    page: Page,
    extractor: Extractor,
    judge: Judge,
    threshold: float = DEFAULT_THRESHOLD,
    formats: Collection[str] = (),
    version: str | None = None,
) -> WebTextResult:
    """Return the result of a page; its attributes must be read if there are formats."""
    extraction = extraction_of(extractor, page)
    return combine(extraction, checked(judge.judge(page, threshold)), page, formats, version)


def extraction_of(extractor: Extractor, page: Page) -> Extraction:
    """Return the extraction of a page; TypeError if the extractor returned another type."""
    found = extractor.extract(page)
    if not isinstance(found, Extraction):
        raise TypeError(f"extract(page) must return an Extraction, not {type(found).__name__}")
    text: object = found.text
    score: object = found.score
    if not (isinstance(text, str) and isinstance(score, int | float)):
        kinds = f"{type(text).__name__} and {type(score).__name__}"
        raise TypeError(f"an Extraction has a str as text and a float as score, not {kinds}")
    return found


def combine(
    extraction: Extraction,
    judgement: Judgement,
    page: Page,
    formats: Collection[str] = (),
    version: str | None = None,
) -> WebTextResult:
    """Return the result of an extraction and a judgement.

    ``formats`` are optional result fields, which are made from the page, except the ``version``:
    `provenance.version_of` returns it.
    """
    probability = judgement.article_probability  # of the learned model
    if probability is None:
        probability = extraction.article_probability
    return WebTextResult(
        main_text=extraction.text,
        has_article=judgement.has_article,
        p_value=judgement.p_value,
        main_text_score=extraction.score,
        extractor=extraction.extractor,
        article_probability=probability,
        reason=find_notice(page),
        extractor_version=version,
        **_rendered(extraction, page, set(formats) - {VERSION}),
    )


def _rendered(extraction: Extraction, page: Page, formats: Collection[str]) -> dict[str, Any]:
    if not formats:
        return {}
    from scrapy_webtext.metadata import describe_article, find_shown_headline  # only if asked

    rendered = [name for name in FORMATS if name in formats]
    headline = find_shown_headline(page.whole, extraction) if rendered else ("", -1)
    found = render_formats(
        page,
        extraction.text,
        extraction.chosen,
        extraction.runs,
        rendered,
        extraction.links,
        headline,
    )
    if len(rendered) == len(formats):
        return found
    described = describe_article(page.whole, extraction, formats)
    return found | {name: one.value for name, one in described.items()}


def without_blocks(page: Page, extraction: Extraction, blocks: Collection[int]) -> Extraction:
    """Return an extraction without some of its blocks; as it is if its text is not of blocks."""
    kept = tuple(block for block in extraction.chosen if block not in blocks)
    if extraction.runs:
        gone = {run for block in blocks for run in page.blocks.runs(block)}
        runs = tuple(run for run in extraction.runs if run not in gone)
        return replace(extraction, text=render_runs(page, runs), chosen=kept, runs=runs)
    if render_blocks(page, extraction.chosen) != extraction.text:
        return extraction
    return replace(extraction, text=render_blocks(page, kept), chosen=kept)


def unread(
    extractor: str, status: Status, reason: str, judgement: Judgement | None = None
) -> WebTextResult:
    """Return the result of a page without an extraction: it was skipped, or a step failed."""
    if judgement is None:
        return WebTextResult("", None, None, None, extractor, None, status, reason)
    judged, probability = judgement.has_article, judgement.article_probability
    return WebTextResult(
        "", judged, judgement.p_value, None, extractor, probability, status, reason
    )


def checked(judgement: Judgement) -> Judgement:
    """Return a judgement; TypeError if a judge returned something else."""
    if not isinstance(judgement, Judgement):
        raise TypeError(f"judge(page) must return a Judgement, not {type(judgement).__name__}")
    return judgement
