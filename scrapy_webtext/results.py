"""The values that extractors and judges return and users get: frozen, without lxml objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from html import escape
from itertools import chain
from typing import Any, ClassVar, Final, Literal, Protocol, runtime_checkable

from scrapy_webtext.page import Page
from scrapy_webtext.page.encoding import storable_text
from scrapy_webtext.render import FORMATS
from scrapy_webtext.render.outline import outline_runs
from scrapy_webtext.render.text import (
    Link,
    Picture,
    TextBlock,
    render_blocks,
    render_runs,
    render_text,
)


@dataclass(frozen=True, slots=True)
class Reason:
    """The effect of one feature on the score of a unit (token, line, node or block)."""

    feature: str
    value: float
    effect: float  #: log odds that the feature adds; above 0 for main text


@dataclass(frozen=True, slots=True)
class Signal:
    """The values that an algorithm computed, for pictures and for ``fusion``.

    ``values`` has one number per ``unit`` of the page in document order. ``selected`` lists the
    units that the algorithm chose, ascending. ``threshold`` is the bound that the algorithm
    compared the values with. ``blocks`` has, per token or line, the first and last block with text
    in that unit, or None; it is empty if the units are nodes or blocks. ``reasons`` has, per unit,
    the features that decided, the strongest first; it is empty if the algorithm has no features.
    """

    name: str
    unit: Literal["token", "line", "node", "block"]
    values: tuple[float, ...]
    threshold: float | None = None
    selected: tuple[int, ...] = ()
    blocks: tuple[tuple[int, int] | None, ...] = ()
    reasons: tuple[tuple[Reason, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """The main text that one extractor found on one page.

    The text has no characters that feeds and databases refuse (`storable_text` removes them). If no
    text remains, the score is 0 and ``chosen`` is empty.
    """

    text: str  #: one line per block; empty if the page has no text
    score: float  #: in [0, 1]; each extractor's docstring defines it
    extractor: str
    chosen: tuple[int, ...] = ()  #: indices of the blocks that are in ``text``, wholly or partly
    runs: tuple[int, ...] = ()  #: runs of the page in ``text``; empty if ``text`` has whole blocks
    links: bool = True  #: whether Markdown and HTML show the addresses of links
    article_probability: float | None = None  #: of the learned model; None if not computed

    @classmethod
    def of_runs(cls, page: Page, runs: Sequence[int], score: float, extractor: str) -> Extraction:
        """Return an extraction whose text consists of these runs of a page; ``runs`` ascends."""
        outline = outline_runs(page, runs)
        text = render_text(outline)
        if not text:  # the runs have only characters that are removed from texts
            return cls("", 0.0, extractor)
        blocks = [part.block for part in outline.parts]  # no block without remaining text
        chosen = blocks if outline.is_storable else page.blocks_of_runs(runs)
        return cls(text, score, extractor, tuple(chosen), tuple(runs))

    def with_blocks(self, page: Page, blocks: Iterable[int]) -> Extraction:
        """Return a copy with the text of these blocks; itself if its text is no text of blocks."""
        chosen = tuple(sorted(blocks))
        if self.runs:
            gone, added = {*self.chosen}.difference(chosen), {*chosen}.difference(self.chosen)
            runs = {*self.runs, *chain(*map(page.blocks.runs, added))}
            left = tuple(sorted(runs.difference(chain(*map(page.blocks.runs, gone)))))
            return replace(self, text=render_runs(page, left), chosen=chosen, runs=left)
        if render_blocks(page, self.chosen) != self.text:
            return self
        return replace(self, text=render_blocks(page, chosen), chosen=chosen)

    def __post_init__(self) -> None:
        if isinstance(self.text, str):  # `PageReader.extracted` refuses other types
            text = storable_text(self.text)
            if text != self.text and not text.strip():
                for name, nothing in (("score", 0.0), ("chosen", ())):
                    object.__setattr__(self, name, nothing)
                text = ""
            object.__setattr__(self, "text", text)


@runtime_checkable
class Extractor(Protocol):
    """Finds the main text of a page.

    An extractor is pure: equal pages give equal extractions, it stores nothing and does not change
    the page. Its parameters are the fields of a frozen dataclass, which raises SettingsError for a
    wrong value.
    """

    name: ClassVar[str]

    def extract(self, page: Page) -> Extraction:
        """Return the main text; do not raise for odd HTML."""
        ...


@runtime_checkable
class SignalSource(Protocol):
    """An extractor that can also return its signals."""

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the values from which ``extract(page)`` decides."""
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a page has an article.

    `PageReader` compares the probability with the threshold if the judge leaves ``has_article``
    None.
    """

    has_article: bool | None
    probability: float  #: the judge's own number, in [0, 1]
    p_value: float  #: the page's P value; judges other than `pvalue` give it, too
    article_probability: float | None = None  #: of the learned model; None if not computed


class Judge(Protocol):
    """Decides whether a page has an article. Pure, like an extractor."""

    name: ClassVar[str]

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        """Return the judgement of a page; a page without text has no article.

        ``threshold`` is for a judge that decides by itself.
        """
        ...


#: "ok": read; "failed": the extractor or the judge raised; "skipped": not read.
Status = Literal["ok", "failed", "skipped"]


class _WeaklyReferable:
    """Allows weak references to a slotted dataclass (`weakref_slot` needs Python 3.11)."""

    __slots__ = ("__weakref__",)


@dataclass(frozen=True, slots=True)
class Breadcrumb:
    """A step of the path from the start of a site to the page."""

    name: str
    url: str | None = None  #: absolute; None if missing


@dataclass(frozen=True, slots=True)
class FieldSource:
    """The source of a metadata field's value."""

    field: str
    source: str  #: such as "JSON-LD newsarticle author" or "byline below the headline"


@dataclass(frozen=True, slots=True)
class Comment:
    """A reader's comment, or a post of a forum."""

    text: str  #: one line per block
    author: str | None = None  #: as the page names them: a name or an account; None if missing
    date: str | None = None  #: ISO 8601; None if missing


@dataclass(frozen=True, slots=True)
class WebTextResult(_WeaklyReferable):
    """The main text of a page and the judgement on it, as users see them. Picklable.

    A page that could not be read has ``status`` "failed" or "skipped", a ``reason`` and an empty
    text; a page without text has ``status`` "ok". Renderings, and all fields from ``title`` on, are
    None unless the caller asks for them. To add a field, declare it here and write its function.
    Settings, docs (``python -m tests.kits.settings_table``) and archives read the declaration.
    """

    #: The text, one line per block; empty if no main text is found.
    main_text: str
    #: Whether the judge's number is at least ``WEBTEXT_THRESHOLD``: ``p_value`` for ``"pvalue"``,
    #: ``article_probability`` for ``"learned"``. ``None`` if the page was not judged.
    has_article: bool | None
    #: The page's P value, from 0 to 1. Of all judges only ``pvalue`` with
    #: ``reading="paper"`` changes it.
    p_value: float | None
    #: The extractor's own score of its text, from 0 to 1.
    main_text_score: float | None
    #: The extractor's name.
    extractor: str
    #: The probability that the page is an article, by the learned model; ``None`` if neither the
    #: extractor ``fusion`` nor the judge ``learned`` read the page.
    article_probability: float | None = None
    #: ``"ok"``, ``"failed"`` or ``"skipped"``.
    status: Status = "ok"
    #: Why the page was skipped (``"not_html"``, ``"too_large"``, ...) or the error on which it
    #: failed. For a page that was read and is a notice: ``"blocked"`` (a challenge, the notice of a
    #: paywall, a demand for JavaScript), ``"consent"``, ``"not found"`` (an empty search, too).
    reason: str | None = None
    #: The judge's name; ``None`` if the page was not judged.
    judge: str | None = None
    #: Number of earlier pages of the site with the same text; from 2 on ``has_article`` is
    #: ``False``. A crawl counts them if ``WEBTEXT_REPEATS`` is set or ``WEBTEXT_FIELDS`` has this
    #: field; else ``None``.
    text_repeats: int | None = None
    #: The page's address, if known.
    url: str | None = None
    #: The package's version and a hash of the settings ([versions](output.md#versions)).
    extractor_version: str | None = None
    #: The same text as Markdown.
    main_markdown: str | None = None
    #: The same text as clean HTML.
    main_html: str | None = None
    #: The same text as rows with XPaths and offsets.
    blocks: tuple[TextBlock, ...] | None = None
    #: The links in the text, each with its block.
    links: tuple[Link, ...] | None = None
    #: The pictures in the text, each with its caption and block.
    images: tuple[Picture, ...] | None = None
    #: The headline as readers see it, without the name of the site.
    title: str | None = None
    #: The authors' names, without roles and accounts. The name of the site only if the byline has
    #: it and no person is named. Empty if no author is named.
    authors: tuple[str, ...] | None = None
    #: Time of publication: ISO 8601, as precise as declared (``2020-05-03``), with the zone if
    #: known.
    published: str | None = None
    #: Time of the last change, in the same form.
    modified: str | None = None
    #: The language of the text: BCP 47, such as ``de`` or ``pt-BR``.
    language: str | None = None
    #: The page's declared summary.
    description: str | None = None
    #: The absolute address of the main picture (``http``, ``https``).
    image: str | None = None
    #: The name of the site.
    site_name: str | None = None
    #: The absolute address that the page declares as its canonical one.
    canonical_url: str | None = None
    #: The page's tags (keywords); empty if it declares none.
    tags: tuple[str, ...] | None = None
    #: The path from the start of the site to the page; empty if none is declared.
    breadcrumbs: tuple[Breadcrumb, ...] | None = None
    #: Whether the article is free to read (``isAccessibleForFree``); ``None`` if not declared.
    is_free: bool | None = None
    #: The address or name of the page's licence (``rel=license``, JSON-LD). ``"tdm-reservation"``
    #: if the page names no licence and reserves text and data mining.
    licence: str | None = None
    #: SimHash of the text: 64 bits as 16 hex digits; ``None`` for an empty text.
    fingerprint: str | None = None
    #: The comments of readers, and the posts of a forum, with author and date if known; empty if
    #: there are none.
    comments: tuple[Comment, ...] | None = None
    #: The source of each other field of the metadata that was asked for and has a value.
    sources: tuple[FieldSource, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields for JSON and pandas, with lists for tuples and dicts for rows."""
        return {name: plain(getattr(self, name)) for name in RESULT_FIELDS}

    def __repr__(self) -> str:
        """Return the fields that have a value; of the renderings of the text only the plain one."""
        known = {name: getattr(self, name) for name in RESULT_FIELDS if name not in FORMATS}
        shown = ", ".join(f"{name}={value!r}" for name, value in known.items() if value is not None)
        return f"{type(self).__name__}({shown})"

    def _repr_html_(self) -> str:
        """Return the judgement, the scores and the text as HTML, for notebooks."""
        names = ("main_text_score", "p_value", "article_probability")
        values = ((name, getattr(self, name)) for name in names)
        known = [f"{name} {value:.3f}" for name, value in values if value is not None]
        judge = f"judged by {escape(self.judge)}" if self.judge else ""
        numbers = ", ".join(filter(None, [escape(self.extractor), judge, " · ".join(known)]))
        if self.reason is not None:
            numbers += f" · {self.status}: {escape(self.reason)}"
        lines = self.main_text.split("\n") if self.main_text else ["No main text found."]
        text = "".join(f'<p style="margin: 0 0 .5em">{escape(line)}</p>' for line in lines)
        return (
            '<div style="max-width: 60em; border-left: 3px solid #0a7d77; padding-left: 1em">'
            f"<b>{'Article' if self.has_article else 'No article'}</b> <small>{numbers}</small>"
            f'<div style="max-height: 24em; overflow-y: auto; margin-top: .5em">{text}</div></div>'
        )


#: The names of all fields of a result.
RESULT_FIELDS: Final = tuple(field.name for field in fields(WebTextResult))

#: The metadata of a result: the fields from ``title`` on.
DESCRIBED: Final = RESULT_FIELDS[RESULT_FIELDS.index("title") :]

#: Result field -> item field, for the result fields that are written by default.
DEFAULT_FIELDS: Final[Mapping[str, str]] = {
    name: name
    for name in "main_text has_article p_value main_text_score article_probability".split()
}


def plain(value: Any) -> Any:
    """Return a value of a result for items, feeds and JSON: a tuple of rows as a list of dicts."""
    if not isinstance(value, tuple):
        return value
    return [row if isinstance(row, str) else asdict(row) for row in value]


#: The name under which callbacks and page objects ask scrapy-poet for a result.
WebText = WebTextResult
