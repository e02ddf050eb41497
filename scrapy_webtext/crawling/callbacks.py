"""``await extract(response)`` inside a spider's callback."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Coroutine, Generator, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NoReturn

from scrapy.http import Response

from scrapy_webtext.crawling import crawls
from scrapy_webtext.crawling.response_state import ResponseState
from scrapy_webtext.crawling.responses import no_page_reason, read_page
from scrapy_webtext.errors import NotAwaitedError
from scrapy_webtext.extraction import extract_page, format_names, skipped
from scrapy_webtext.registry import Part, Target
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import WebtextSettings

if TYPE_CHECKING:
    from scrapy_webtext.crawling.crawl import WebtextCrawl
    from scrapy_webtext.results import Extractor, Judge

RESULTS = frozenset(field.name for field in fields(WebTextResult))


class PendingResult(Coroutine[Any, Any, WebTextResult]):
    """The result of ``extract(response)``, to be awaited.

    It is a coroutine, for ``await``, ``asyncio.wait_for`` and ``deferred_from_coro``. Reading a
    field of the result without ``await`` raises NotAwaitedError.
    """

    __slots__ = ("__name__", "__qualname__", "_coroutine")

    def __init__(self, coroutine: Coroutine[Any, Any, WebTextResult]) -> None:
        self._coroutine = coroutine
        self.__name__ = self.__qualname__ = "extract"  # for the names of tasks

    def send(self, value: Any) -> Any:
        """As of any coroutine."""
        return self._coroutine.send(value)

    def throw(self, *error: Any) -> Any:
        """As of any coroutine."""
        return self._coroutine.throw(*error)

    def close(self) -> None:
        """As of any coroutine."""
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, WebTextResult]:
        return self._coroutine.__await__()

    def __getattr__(self, name: str) -> Any:
        if name in RESULTS:
            self._complain()
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return "<extract(response), to be awaited: result = await extract(response)>"

    def _complain(self) -> NoReturn:
        self._coroutine.close()
        raise NotAwaitedError


def extract_response(
    response: Response,
    extractor: Target | Extractor | None,
    judge: Target | Judge | None,
    threshold: float | None,
    include: str | Collection[str],
    options: Mapping[str, Any],
) -> PendingResult:
    """Return the result of a response, to be awaited, by the settings of its crawl.

    The result is computed once per response. With another extractor, judge, threshold, options or
    further renderings it is computed again. Responses that the crawl skips (because of their
    status, their size or their request) are read too, because the caller wants the result. Only a
    response without HTML, or to a HEAD request, is "skipped". SettingsError for an unknown name or
    parameter, TypeError for an object that is no response.
    """
    if not isinstance(response, Response):
        raise TypeError(f"extract() takes str, bytes or a Response, not {type(response).__name__}")
    crawl = crawls.of_response(response)
    settings = crawl.settings if crawl is not None else WebtextSettings()
    formats = format_names(include)
    state = None
    if extractor or judge or options or threshold is not None or formats - settings.formats:
        state = _state_of(settings, extractor, judge, threshold, formats, options)
    return PendingResult(_awaited(crawl, response, state))


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


async def _awaited(
    crawl: WebtextCrawl | None, response: Response, state: ResponseState | None
) -> WebTextResult:
    if crawl is not None:
        found = crawl.requested(response, state)
        return await found if isinstance(found, Awaitable) else found
    state = state or ResponseState(WebtextSettings())
    reason = no_page_reason(response, response.request)
    if reason is not None:
        return skipped(state.extractor_name, reason)
    page = read_page(response, state.settings.fix_encoding)
    extractor, judge = _made(state.extractor), _made(state.judge)
    return extract_page(page, extractor, judge, state.settings.threshold, state.formats)


def _made(part: Any) -> Any:
    return part.make() if isinstance(part, Part) else part
