"""How a page becomes a text: `PageReader`, read from top to bottom.

::

    skip        is the body too large?                         -> a reason, or None
    page        HTML -> columns of nodes, runs, blocks         (page/)
    judged      page -> has it an article?                     (a judge; the threshold is here)
    extracted   page -> the blocks of its main text            (an extractor)
    result      both -> text, scores, renderings, metadata     (render/, metadata/)
    read        all of it, for one page of many; never raises
    in_order    work on many pages in several processes
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, TypeVar

from scrapy_webtext import __version__, models, registry
from scrapy_webtext.errors import SettingsError, describe
from scrapy_webtext.extractors.notice import find_notice
from scrapy_webtext.page import Page, parse_utf8
from scrapy_webtext.page.encoding import to_utf8
from scrapy_webtext.page.parser_limits import has_more_elements
from scrapy_webtext.page.selectors import Selectors, read_selectors
from scrapy_webtext.render import FORMATS, render_formats
from scrapy_webtext.results import (
    DESCRIBED,
    Extraction,
    Extractor,
    Judge,
    Judgement,
    Status,
    WebTextResult,
)

#: The result field with the version of the reader.
VERSION: Final = "extractor_version"

#: Optional result fields: the version, renderings of the text, and metadata.
INCLUDED: Final = (VERSION, *FORMATS, *DESCRIBED)

ALL: Final = "all"  #: all optional result fields

#: Maximum number of pages per process that wait for it or are in work.
_AHEAD: Final = 4

_Given = TypeVar("_Given")
_Found = TypeVar("_Found")


@dataclass(frozen=True)
class PageReader:
    """Reads pages. It holds everything that decides a result.

    `WebtextSettings.reader` makes a reader from settings, `PageReader.of` from names.
    ``max_body_size`` is in bytes; 0 means no limit, for ``max_elements``, too. A reader is
    picklable if its extractor and its judge are.
    """

    extractor: Extractor
    judge: Judge
    threshold: float = registry.DEFAULT_THRESHOLD  #: probability from which a page has an article
    fields: tuple[str, ...] = ()  #: optional result fields, of `INCLUDED`
    selectors: Selectors | None = None  #: elements to take the text from, or to leave out
    max_body_size: int = 5_000_000
    max_elements: int = 50_000
    repeats: str | None = None  #: ``WEBTEXT_REPEATS`` of the crawl

    @classmethod
    def of(
        cls,
        extractor: registry.AnyExtractor = registry.DEFAULT_EXTRACTOR,
        judge: registry.AnyJudge = registry.DEFAULT_JUDGE,
        *,
        include: str | Collection[str] | None = (),
        within: str = "",
        without: str = "",
        options: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> PageReader:
        """Return a new reader; ``others`` are fields of the class, such as ``max_elements``."""
        made = registry.make_extractor(extractor, options), registry.make_judge(judge)
        return cls(*made, **others).changed(include=include, within=within, without=without)

    def changed(
        self,
        *,
        extractor: registry.AnyExtractor | None = None,
        judge: registry.AnyJudge | None = None,
        threshold: float | None = None,
        include: str | Collection[str] | None = (),
        within: str = "",
        without: str = "",
        **options: Any,
    ) -> PageReader:
        """Return a copy of this reader with these arguments of `extract`; itself if none is given.

        ``extractor`` and ``judge`` are names, dotted paths, classes or ready objects. ``options``
        are parameters of the extractor; an extractor of the same class keeps its other parameters.
        ``include`` names further result fields. ``within`` and ``without`` are comma-separated CSS
        selectors, or XPath; each replaces those of the site's rule with its name. Raise
        SettingsError for an unknown name, a wrong parameter or a wrong selector.
        """
        changes: dict[str, Any] = {}
        own: Any = self.extractor
        if extractor is not None and registry.load("extractor", extractor, {}) is not type(own):
            changes["extractor"] = registry.make_extractor(extractor, options)
        elif options:
            given = _options_of(own) if is_dataclass(own) else {}
            changes["extractor"] = registry.make_extractor(type(own), {**given, **options})
        if judge is not None:
            changes["judge"] = registry.make_judge(judge)
        if threshold is not None:
            changes["threshold"] = read_threshold("threshold", threshold)
        limits = {name: text for name, text in (("within", within), ("without", without)) if text}
        if (read := read_selectors(limits)) is not None:
            given = {name: getattr(read, name) for name in limits}
            changes["selectors"] = replace(self.selectors or Selectors(), **given)
        if {*(names := field_names(include))}.difference(self.fields):
            changes["fields"] = field_names({*self.fields, *names})
        return replace(self, **changes) if changes else self

    def skip(self, source: str | bytes) -> str | None:
        """Return why a page is not read: "too_large", "too_many_elements", or None."""
        if not self.max_body_size and not self.max_elements:
            return None
        body = bytes(source) if isinstance(source, bytes) else source.encode("utf-8", "replace")
        body = body.replace(b"\0", b"")  # of UTF-16, too
        if self.max_body_size and len(body) > self.max_body_size:
            return "too_large"
        if self.max_elements and has_more_elements(body, self.max_elements):
            return "too_many_elements"
        return None

    def page(
        self, source: str | bytes, *, url: str | None = None, content_type: str | None = None
    ) -> Page:
        """Parse HTML; bytes are decoded as Scrapy does, and a wrong encoding is repaired."""
        body = to_utf8(source, content_type)
        return parse_utf8(body, url=url, selectors=self.selectors)

    def judged(self, page: Page) -> Judgement:
        """Return the judgement of a page; raise TypeError if the judge returns something else.

        The reader compares the probability with the threshold, unless the judge has set
        ``has_article``. A page that a site sends instead of an article (`find_notice`) has no
        article.
        """
        found = self.judge.judge(page, self.threshold)
        if not isinstance(found, Judgement):
            raise TypeError(f"judge(page) must return a Judgement, not {type(found).__name__}")
        has_article = found.has_article
        if has_article is None:
            has_article = found.probability >= self.threshold
            if has_article and not found.probability:  # at threshold 0, if the page shows a text
                has_article = not all(page.hidden[node] for node in page.runs.node)
        return replace(found, has_article=has_article and find_notice(page) is None)

    def extracted(self, page: Page) -> Extraction:
        """Return the main text of a page; raise TypeError if the extractor returns another type."""
        found = self.extractor.extract(page)
        if not isinstance(found, Extraction):
            raise TypeError(f"extract(page) must return an Extraction, not {type(found).__name__}")
        text: object = found.text
        score: object = found.score
        if not (isinstance(text, str) and isinstance(score, int | float)):
            kinds = f"{type(text).__name__} and {type(score).__name__}"
            raise TypeError(f"an Extraction has a str as text and a float as score, not {kinds}")
        kept = {block for node in page.kept for block in page.blocks_in(node)}
        return found.with_blocks(page, kept.union(found.chosen)) if kept else found

    def result(
        self, page: Page, judgement: Judgement | None = None, extraction: Extraction | None = None
    ) -> WebTextResult:
        """Return the result of a page; compute judgement and extraction unless they are given."""
        extraction = extraction or self.extracted(page)
        judgement = judgement or self.judged(page)
        probability = judgement.article_probability  # from the learned model
        if probability is None:
            probability = extraction.article_probability
        return WebTextResult(
            main_text=extraction.text,
            has_article=judgement.has_article,
            p_value=judgement.p_value,
            main_text_score=extraction.score,
            extractor=extraction.extractor,
            judge=registry.shown_name(self.judge),
            article_probability=probability,
            reason=find_notice(page),
            url=page.url,
            extractor_version=self.version if VERSION in self.fields else None,
            **rendered(page, extraction, [name for name in self.fields if name != VERSION]),
        )

    def read(
        self, source: str | bytes, *, url: str | None = None, content_type: str | None = None
    ) -> WebTextResult:
        """Return the result of a page; never raise: for a fault ``status`` is "failed"."""
        try:
            reason = self.skip(source)
            if reason is not None:
                return self.unread("skipped", reason)
            return self.result(self.page(source, url=url, content_type=content_type))
        except (Exception, SystemExit) as error:  # a user's own extractor may raise anything
            return self.unread("failed", describe(error))

    def unread(
        self, status: Status, reason: str, judgement: Judgement | None = None
    ) -> WebTextResult:
        """Return the result of a page that was skipped or failed; the text is empty."""
        names = ("has_article", "p_value", "article_probability")
        return WebTextResult(
            main_text="",
            main_text_score=None,
            extractor=registry.shown_name(self.extractor),
            judge=registry.shown_name(self.judge) if judgement else None,
            status=status,
            reason=reason,
            **{name: getattr(judgement, name, None) for name in names},
        )

    @cached_property
    def version(self) -> str:
        """The version of results, such as ``0.2.0+1a2b3c4d``.

        It consists of the package's version and a hash of `decisive`.

        Equal settings have equal hashes in all processes and on all machines. For a model file its
        content counts, not its path.
        """
        decides = json.dumps(self.decisive, sort_keys=True, default=_plain)
        return f"{__version__}+{sha256(decides.encode()).hexdigest()[:8]}"

    @property
    def decisive(self) -> dict[str, Any]:
        """Everything that decides ``main_text`` and ``has_article``, by name."""
        return {
            **_described("extractor", self.extractor),
            **_described("judge", self.judge),
            "threshold": self.threshold,
            "repeats": self.repeats,
            **(self.selectors or Selectors()).decisive,
        }


@cache
def default_reader() -> PageReader:
    """Return the reader with the default settings; it is made once."""
    return PageReader.of()


def in_order(
    work: Callable[[_Given], _Found], pages: Iterable[_Given], processes: int
) -> Iterator[_Found]:
    """Yield ``work(page)`` for each page, in the order of the pages.

    With several processes ``work`` must be picklable, and a few pages are read in advance. If
    ``pages`` raises, the results of earlier pages come first.
    """
    if processes == 1:
        yield from map(work, pages)
        return
    # "spawn" exists on every platform, and it is safe in a process with threads; "fork" is not.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        pending: deque[Future[_Found]] = deque()
        source, fault = iter(pages), None
        while fault is None:
            try:
                pending.append(pool.submit(work, next(source)))
            except Exception as error:  # StopIteration, too
                fault = error
            if len(pending) >= _AHEAD * processes:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
        if not isinstance(fault, StopIteration):
            raise fault


def read_threshold(name: str, value: Any) -> float:
    """Return a value as a probability; raise SettingsError with the name of the setting."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if isinstance(value, bool) or not 0 <= number <= 1:
        raise SettingsError(f"{name} = {value!r} is not allowed: it must be a number from 0 to 1")
    return number


def field_names(include: str | Collection[str] | None) -> tuple[str, ...]:
    """Return the named fields in the order of `INCLUDED`; raise SettingsError for unknown names."""
    listed = include.replace(" ", "").split(",") if isinstance(include, str) else include or ()
    names = {*listed} - {""}
    if ALL in names:
        return INCLUDED
    unknown = sorted(map(repr, names - set(INCLUDED)))
    if unknown:
        allowed = ", ".join(INCLUDED)
        raise SettingsError(f"include has {unknown[0]}; it takes: {allowed}, or {ALL!r}")
    return tuple(name for name in INCLUDED if name in names)


def rendered(page: Page, extraction: Extraction, names: Collection[str]) -> dict[str, Any]:
    """Return the named renderings of a text and the named metadata of its page."""
    if not names:
        return {}
    from scrapy_webtext.metadata import describe_article, find_shown_headline  # slow to import

    forms = [name for name in FORMATS if name in names]
    headline = find_shown_headline(page.whole, extraction) if forms else ("", -1)
    found = render_formats(
        page, extraction.text, extraction.chosen, extraction.runs, forms, extraction.links, headline
    )
    if len(forms) == len(names):
        return found
    described = describe_article(page.whole, extraction, names)
    return found | {name: one.value for name, one in described.items()}


def _described(kind: str, made: Any) -> dict[str, Any]:
    """Return the class and the parameters of an extractor or judge, by name."""
    cls = type(made)
    given = _options_of(made)
    model = given.get("model", "")
    if model is None:
        packaged = sorted(Path(models.__path__[0]).glob("*.json"))
        given["model"] = [_digest(path, 0) for path in packaged]
    elif isinstance(model, str | os.PathLike) and Path(model).is_file():
        given["model"] = _digest(Path(model), Path(model).stat().st_mtime_ns)
    if cls.__module__ == "scrapy_webtext.extractors.peers":
        from scrapy_webtext.extractors.peers import versions_of  # a slow import

        given.update(versions_of(made.name))
    return {kind: registry.shown_name(cls), f"{kind}_options": given}


def _options_of(made: Any) -> dict[str, Any]:
    """Return the parameters of an extractor or judge; of another class than a dataclass, all."""
    if is_dataclass(made):
        return {f.name: getattr(made, f.name) for f in fields(made) if f.init}
    return dict(getattr(made, "__dict__", {}))


@lru_cache(maxsize=64)
def _digest(path: Path, mtime_ns: int) -> str:  # noqa: ARG001 (a changed file is read again)
    return sha256(path.read_bytes()).hexdigest()


def _plain(value: object) -> str:
    """Make a value JSON-ready: a path as str, anything else as the name of its class."""
    return os.fspath(value) if isinstance(value, os.PathLike) else registry.path_of(type(value))
