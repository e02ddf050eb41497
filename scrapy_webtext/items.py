"""Items with the extension's fields, and the writing of results into items of any kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import scrapy
from itemadapter import ItemAdapter

from scrapy_webtext.binder import mark_filled
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import DEFAULT_FIELDS


class WebTextItem(scrapy.Item):
    """A scrapy.Item with the default fields; subclass it and add your own."""

    url = scrapy.Field()
    main_text = scrapy.Field()
    has_article = scrapy.Field()
    p_value = scrapy.Field()
    main_text_score = scrapy.Field()


@dataclass(kw_only=True)
class WebTextFields:
    """A dataclass mixin with the default fields, all None until the pipeline fills them."""

    main_text: str | None = field(default=None)
    has_article: bool | None = field(default=None)
    p_value: float | None = field(default=None)
    main_text_score: float | None = field(default=None)


def fill(item: Any, result: WebTextResult, fields: Mapping[str, str] = DEFAULT_FIELDS) -> Any:
    """Return the item with the result in its fields; yield what is returned.

    The item itself, or a copy where it is frozen. The pipeline leaves a filled item as it is.
    ``fields`` maps results to names of fields, as ``WEBTEXT_FIELDS`` does. Fields that the item
    does not declare are left out.
    """
    item, _ = write(item, values_of(result, fields))
    mark_filled(item, result)
    return item


def values_of(result: WebTextResult | None, fields: Mapping[str, str]) -> dict[str, Any]:
    """Values by field name; all None without a result."""
    return {name: getattr(result, key, None) for key, name in fields.items()}


def write(item: Any, values: Mapping[str, Any]) -> tuple[Any, list[str]]:
    """Return the item with these values and the names of fields that it does not have.

    A dict takes every field; other items those that they declare. A frozen item is copied.
    """
    adapter = ItemAdapter(item)
    if isinstance(item, dict):
        item.update(values)
        return item, []
    declared = set(adapter.field_names())
    writable = {name: value for name, value in values.items() if name in declared}
    missing = [name for name in values if name not in declared]
    if not writable:
        return item, missing
    try:
        for name, value in writable.items():
            adapter[name] = value
    except (AttributeError, TypeError, ValueError):  # frozen: dataclass, attrs, pydantic
        return _copy_with(item, writable), missing
    return item, missing


def _copy_with(item: Any, values: Mapping[str, Any]) -> Any:
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return dataclasses.replace(item, **values)
    if hasattr(item, "model_copy"):
        return item.model_copy(update=dict(values))
    import attr

    return attr.evolve(item, **values)
