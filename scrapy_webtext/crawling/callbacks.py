"""``extract(response)`` inside a spider's callback."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy.http import Response

from scrapy_webtext.crawling.crawl import ResponseState, of_response
from scrapy_webtext.crawling.responses import no_page_reason, read_page
from scrapy_webtext.extraction import extract_page, format_names, skipped
from scrapy_webtext.registry import Part, Target
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import WebtextSettings

if TYPE_CHECKING:
    from scrapy_webtext.results import Extractor, Judge


def extract_response(
    response: Response,
    extractor: Target | Extractor | None = None,
    judge: Target | Judge | None = None,
    threshold: float | None = None,
    include: str | Collection[str] = (),
    options: Mapping[str, Any] | None = None,
) -> WebTextResult:
    """Return the result of a response, by the settings of its crawl.

    The result is computed once per response. With another extractor, judge, threshold, options or
    further renderings it is computed again. Responses that the crawl skips (because of their
    status, their size or their request) are read too, because the caller wants the result. Only a
    response without HTML, or to a HEAD request, is "skipped". SettingsError for an unknown name or
    parameter, TypeError for an object that is no response.
    """
    if not isinstance(response, Response):
        raise TypeError(f"extract() takes str, bytes or a Response, not {type(response).__name__}")
    crawl = of_response(response)
    settings = crawl.settings if crawl is not None else WebtextSettings()
    formats = format_names(include)
    state = None
    if extractor or judge or options or threshold is not None or formats - settings.formats:
        state = _state_of(settings, extractor, judge, threshold, formats, options or {})
    if crawl is not None:
        return crawl.requested(response, state)
    state = state or ResponseState(settings)
    reason = no_page_reason(response, response.request)
    if reason is not None:
        return skipped(state.extractor_name, reason)
    page = read_page(response, settings.fix_encoding)
    made, made_judge = _made(state.extractor), _made(state.judge)
    return extract_page(page, made, made_judge, state.settings.threshold, state.formats)


def _state_of(
    settings: WebtextSettings,
    extractor: Target | Extractor | None,
    judge: Target | Judge | None,
    threshold: float | None,
    formats: frozenset[str],
    options: Mapping[str, Any],
) -> ResponseState:
    """Return the state of a response that is read with the caller's own settings."""
    ready_extractor = ready_judge = None
    changes: dict[str, Any] = {}
    if isinstance(extractor, str | type):
        changes |= {"extractor": extractor, "extractor_options": dict(options)}
    elif extractor is not None:
        ready_extractor = extractor
        if options:
            raise TypeError(f"options {sorted(options)} need an extractor given by name")
    elif options:
        changes["extractor_options"] = dict(options)
    if isinstance(judge, str | type):
        changes |= {"judge": judge, "judge_options": {}}
    else:
        ready_judge = judge
    if threshold is not None:
        changes["threshold"] = threshold
    found = replace(settings, **changes)
    for part in (found.extractor_part, found.judge_part):
        part.check()
    return ResponseState(found, ready_extractor, ready_judge, formats)


def _made(part: Any) -> Any:
    return part.make() if isinstance(part, Part) else part
