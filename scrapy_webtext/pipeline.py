"""Writes main text, judgement and scores into items."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response

from scrapy_webtext.crawling.crawl import ResponseState, WebtextCrawl, of_result, open_crawls
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.results import DEFAULT_FIELDS, DESCRIBED, WebTextResult, plain
from scrapy_webtext.settings import FieldPreset

#: Errors of frozen dataclasses and attrs classes.
FROZEN_ERRORS = frozenset({"FrozenInstanceError", "FrozenAttributeError"})


class WebTextItem(scrapy.Item):
    """A scrapy.Item with the default fields; subclass it and add your own."""

    url = scrapy.Field()
    main_text = scrapy.Field()
    has_article = scrapy.Field()
    p_value = scrapy.Field()
    main_text_score = scrapy.Field()
    article_probability = scrapy.Field()


@dataclass(kw_only=True)
class WebTextFields:
    """A dataclass mixin with the default fields, all None until the pipeline fills them."""

    main_text: str | None = None
    has_article: bool | None = None
    p_value: float | None = None
    main_text_score: float | None = None
    article_probability: float | None = None


def fill(item: Any, result: WebTextResult, fields: Mapping[str, str] | None = None) -> Any:
    """Return the item with the result in its fields, or a copy if the item is frozen.

    Yield the returned item: the pipeline fills only fields that are not set. Metadata that the item
    has already, such as a title, is kept, because the spider knows the site. ``fields`` maps
    results to names of fields; the default is ``WEBTEXT_FIELDS`` of the crawl that made the result,
    else of the running crawl. Fields that the item does not declare are left out, with one warning
    per class. Raise TypeError for an object that is no item or no result.
    """
    if not isinstance(result, WebTextResult):
        raise TypeError(f"fill() takes a WebTextResult, not {type(result).__name__}")
    if not ItemAdapter.is_item(item):
        raise TypeError(f"fill() takes an item, and {type(item).__qualname__} is no type of item")
    crawl = of_result(result) or _only_crawl(fields)
    if fields is None:
        fields = crawl.settings.fields if crawl is not None else DEFAULT_FIELDS
    described = {name: path for name, path in fields.items() if name in DESCRIBED}
    item, missing = fill_item(item, result, fields, set_by_spider(item, described))
    if missing and crawl is not None and not isinstance(fields, FieldPreset):
        tell_undeclared(crawl, item, missing)
    return item


def _only_crawl(fields: Mapping[str, str] | None) -> WebtextCrawl | None:
    """Return a running crawl if all running crawls have equal fields; None if no crawl runs."""
    running = open_crawls()
    if fields is None and any(c.settings.fields != running[0].settings.fields for c in running):
        raise SettingsError(
            "fill(item, result) cannot tell which of the crawls in this process the result is for: "
            "give it the result of `extract(response)`, or fields="
        )
    return running[0] if running else None


def tell_undeclared(crawl: WebtextCrawl, item: Any, missing: Sequence[str]) -> None:
    """Log a warning about fields that an item does not declare, once per class."""
    repair = "declare them, or map or leave out results with WEBTEXT_FIELDS"
    words = f"{type(item).__qualname__} does not declare {', '.join(missing)}: {repair}"
    crawl.warn_once(type(item), words)


def fill_item(
    item: Any, result: WebTextResult | None, fields: Mapping[str, str], kept: Set[str]
) -> tuple[Any, list[str]]:
    """Return the item with a result in its fields, and the names of fields that it lacks.

    The fields ``kept`` are not changed. For a page that was not read, None is written into dicts,
    but never over a value. An item that lacks a field of a `FieldPreset` gets no value. Raise as
    `write`.
    """
    values = {path: v for path, v in _values_of(result, fields).items() if path not in kept}
    if isinstance(item, dict):
        values = {path: read(item, path) if v is None else v for path, v in values.items()}
    else:
        values = {path: value for path, value in values.items() if value is not None}
    missing = missing_fields(item, fields.values())
    if isinstance(fields, FieldPreset):
        if missing:
            return item, missing
        values = _with_parts(item, values)
    return write(item, {name: v for name, v in values.items() if name not in missing}), missing


def _values_of(result: WebTextResult | None, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the value of each field; of an unread page all but status and reason are None."""
    shapes = fields.shapes if isinstance(fields, FieldPreset) else {}
    values: dict[str, Any] = {}
    for name, path in fields.items():
        is_known = result is not None and (result.status == "ok" or name in ("status", "reason"))
        value = plain(getattr(result, name)) if is_known else None
        values[path] = shapes[name](value) if name in shapes and value is not None else value
    return values


def set_by_spider(item: Any, fields: Mapping[str, str]) -> set[str]:
    """Return the names of the fields that the spider, a page object or `fill` has set.

    The text "" is set if another field except metadata is set: `fill` writes it for a page without
    text. A field of a `FieldPreset` that has a part of an object is never set as a whole.
    """
    parts = fields.shapes.keys() - {*DESCRIBED} if isinstance(fields, FieldPreset) else ()
    found = {name for name, path in fields.items() if name not in parts and is_set(item, path)}
    if found - {*DESCRIBED} and "main_text" in fields and read(item, fields["main_text"]) == "":
        found.add("main_text")
    return {fields[name] for name in found}


def _with_parts(item: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Add to each dict of ``values`` the parts that the item has there, for zyte-common-items."""
    for name, value in values.items():
        part = read(item, name)
        if isinstance(value, dict) and ItemAdapter.is_item(part):
            values[name] = {**ItemAdapter(part).asdict(), **value}
    if not hasattr(type(item), "from_dict"):
        return values
    built = type(item).from_dict({"url": item.url, **values})
    return {name: getattr(built, name) for name in values}


def missing_fields(item: Any, names: Iterable[str]) -> list[str]:
    """Return the names that the item declares no field for; a dict has every field."""
    if isinstance(item, dict):
        return []
    known = ItemAdapter(item).field_names()
    return [name for name in names if name not in known]


def read(item: Any, name: str) -> Any:
    """Return the value of a field; None if missing."""
    return item.get(name) if type(item) is dict else ItemAdapter(item).get(name)


def is_set(item: Any, name: str) -> bool:
    """Return whether a field has a value: not None, not empty, not the default of the class."""
    value = read(item, name)
    if value is None or (isinstance(value, Sized) and not len(value)):
        return False
    default = _defaults(item.__class__).get(name)
    return value is not default and bool(value != default)


@lru_cache
def _defaults(item_class: type) -> Mapping[str, Any]:
    """Return the defaults that a dataclass, attrs or pydantic class declares for its fields."""
    names = "__pydantic_fields__", "model_fields", "__dataclass_fields__", "__fields__"
    found = next(filter(None, (getattr(item_class, name, None) for name in names)), None)
    fields = found or {field.name: field for field in getattr(item_class, "__attrs_attrs__", ())}
    return {name: _default(field) for name, field in fields.items()}


def _default(field: Any) -> Any:
    """Return the default of a pydantic, attrs or dataclass field, or its marker for no default."""
    factory: Any = getattr(field, "default_factory", None)
    factory = factory or getattr(field.default, "factory", None)
    try:
        return factory()
    except Exception:  # it has no factory, or a factory with an argument
        return field.default


def write(item: Any, values: Mapping[str, Any]) -> Any:
    """Write values into the fields of an item; return it, or a changed copy of a frozen item.

    If the item's class raises an error for a value, restore the item and raise the error.
    """
    # For a frozen item pydantic raises a general ValidationError, so its configuration is read.
    if getattr(item, "model_config", {}).get("frozen"):
        return _copy_with(item, values)
    if type(item) is dict:  # a dict takes every value
        item.update(values)
        return item
    adapter = ItemAdapter(item)
    before = {name: adapter[name] for name in values if name in adapter}
    try:
        for name, value in values.items():
            adapter[name] = value
    except Exception as error:
        if type(error).__name__ in FROZEN_ERRORS:
            return _copy_with(item, values)
        with suppress(Exception):  # the item refuses its own old value
            for name in values:
                if name in before:
                    adapter[name] = before[name]
                elif name in adapter:
                    del adapter[name]
        raise
    return item


def _copy_with(item: Any, values: Mapping[str, Any]) -> Any:
    """Return a copy of a frozen item with other values in these fields.

    The class of the item checks and converts the values, as it does for an item that is not frozen.
    """
    cls, checked = type(item), None
    if hasattr(item, "model_copy"):
        keys = {name: field.validation_alias for name, field in cls.model_fields.items()}
        content = {**dict(item), **values}.items()
        checked = cls.model_validate({_key(keys.get(name), name): v for name, v in content})
        return item.model_copy(update={name: getattr(checked, name) for name in values})
    if hasattr(cls, "__attrs_attrs__"):
        import attr

        keys = {a.name: getattr(a, "alias", None) for a in cls.__attrs_attrs__ if a.init}
        own = {_key(keys[name], name.lstrip("_")): v for name, v in values.items() if name in keys}
        checked = attr.evolve(item, **own)
    copied = copy.copy(item)
    for name, value in values.items():
        is_checked = checked is not None and name in keys
        object.__setattr__(copied, name, getattr(checked, name) if is_checked else value)
    return copied


def _key(alias: Any, name: str) -> str:
    return alias if isinstance(alias, str) else name


#: Result fields with a judgement or a score. An item that was judged has at least one of them.
JUDGED: Final = ("has_article", "p_value", "article_probability", "main_text_score")


class NoArticle(DropItem):
    """Drops an item of a page without an article, if ``WEBTEXT_ACTION`` asks for it."""


class WebtextPipeline:
    """Fills each item from the response that its spider was parsing.

    The text of a response is extracted once. Priority 100: before pipelines that return a new
    object for an item, because a new object is not bound to a response. A field that is set
    already, by ``fill()``, the spider or a page object, is not changed. The other fields are None
    if the item has no response (it comes from ``start()`` or an errback), if the page was skipped,
    or if the judge or the extractor failed. Each item is counted as seen, and in one of
    `scrapy_webtext.crawling.stats.OUTCOMES`.
    """

    def __init__(self, crawl: WebtextCrawl, crawler: Crawler) -> None:
        self._crawl = crawl
        self._crawler = crawler
        self._fields = crawl.settings.fields

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WebtextPipeline:
        """Return the pipeline; raise SettingsError, or NotConfigured if the extension is off."""
        return cls(WebtextCrawl.of(crawler), crawler)

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002 (Scrapy 2.13)
        """Return the filled item, or a filled copy of a frozen item.

        If the text of next pages is to be fetched, return a coroutine that returns the item.

        Under ``WEBTEXT_ACTION = "drop_items"`` raise NoArticle if the page has no article, unless
        the spider has set ``has_article``.
        """
        self._crawl.stats.count("items/seen")
        response = self._crawl.binder.take(item)
        if not ItemAdapter.is_item(item):
            self._crawl.stats.count("items/unsupported")
            self._crawl.warn_once(type(item), f"{type(item).__qualname__} is no type of item")
            return item
        state = self._crawl.judge(response, response.request) if response is not None else None
        try:
            kept = set_by_spider(item, self._fields)
            path = self._fields.get("has_article")
            own = read(item, path) if path in kept else None
        except Exception as error:  # the item's class may raise any error
            return self._failed(item, error)
        if own is False or (own is None and state is not None and state.is_without_article):
            self._drop_if_filtered(state or self._crawl)
        if response is None or state is None:
            return self._fill(item, None, kept)
        result = self._crawl.result(state, response)
        if state.next_page is not None:
            return self._fill_with_next_pages(item, response, state, kept)
        if own is None and result.has_article is False:  # earlier pages had the same text
            self._drop_if_filtered(state)
        return self._fill(item, result, kept)

    async def _fill_with_next_pages(
        self, item: Any, response: Response, state: ResponseState, kept: Set[str]
    ) -> Any:
        result = await self._crawl.with_next_pages(self._crawler, response, state)
        return self._fill(item, result, kept)

    def _drop_if_filtered(self, by: ResponseState | WebtextCrawl) -> None:
        if by.settings.action == "drop_items":
            self._crawl.stats.count("items/dropped")
            # At the default level, Scrapy would log the whole item as a warning.
            raise NoArticle("webtext: no article on this page", log_level="DEBUG")

    def _fill(self, item: Any, result: WebTextResult | None, kept: Set[str]) -> Any:
        """Return the item with the result in its fields, or with None if there is no result."""
        try:
            written, missing = fill_item(item, result, self._fields, kept)
            outcome = self._outcome(item, result, kept)
        except Exception as error:
            return self._failed(item, error)
        is_preset = isinstance(self._fields, FieldPreset)
        if missing and not is_preset:
            self._crawl.stats.count("items/undeclared")
            tell_undeclared(self._crawl, written, missing)
        if (missing and is_preset) or len(missing) == len(self._fields):
            outcome = {"filled": "unfilled", "empty": "unfilled"}.get(outcome, outcome)
        self._crawl.stats.count(f"items/{outcome}")
        return written

    def _outcome(self, item: Any, result: WebTextResult | None, kept: Set[str]) -> str:
        """Return the stat of an item in which the fields ``kept`` were set before."""
        path = self._fields.get("main_text", "")
        judged = {self._fields[name] for name in JUDGED if name in self._fields}
        if path in kept and (judged & kept or (result is not None and result.status == "ok")):
            return "filled" if read(item, path) else "empty"
        if result is None:
            return "unbound"
        if result.status == "ok":
            return "filled" if result.main_text else "empty"
        return "failed" if result.status == "failed" else "unfilled"

    def _failed(self, item: Any, error: Exception) -> Any:
        self._crawl.stats.fault(error, f"writing failed on an item of {type(item).__qualname__}")
        self._crawl.stats.count("items/failed")
        return item
