"""Items with the extension's fields, and the writing of results into items of any kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

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
    A name such as ``metadata.probability`` leads into the item or dict that a field holds;
    where the field is empty, one is made, of the class that the field declares.
    """
    adapter = ItemAdapter(item)
    declared = None if isinstance(item, dict) else set(adapter.field_names())
    writable: dict[str, Any] = {}
    missing: list[str] = []
    for path, value in values.items():
        name, _, inner = path.partition(".")
        if declared is not None and name not in declared:
            missing.append(path)
        elif not inner:
            writable[name] = value
        else:
            part = writable.get(name, adapter.get(name))
            part, lacking = _write_part(type(item), name, part, {inner: value})
            missing += [f"{name}.{field}" for field in lacking]
            if not lacking:
                writable[name] = part
    if not writable:
        return item, missing
    try:
        for name, value in writable.items():
            adapter[name] = value
    except (AttributeError, TypeError, ValueError):  # frozen: dataclass, attrs, pydantic
        return _copy_with(item, writable), missing
    return item, missing


def read(item: Mapping[str, Any], path: str) -> Any:
    """Value that a dict item holds at a name such as ``metadata.probability``, or None."""
    value: Any = item
    for name in path.split("."):
        value = ItemAdapter(value).get(name) if ItemAdapter.is_item(value) else None
    return value


def _write_part(
    item_class: type, name: str, part: Any, values: Mapping[str, Any]
) -> tuple[Any, list[str]]:
    """Return what the field holds, written into, and the names that found no place."""
    if part is None:
        part = _new_part(item_class, name)
    if not ItemAdapter.is_item(part):
        return part, list(values)
    return write(part, values)


def _new_part(item_class: type, name: str) -> Any:
    """An empty item of the one class that the field declares, a dict where it declares none."""
    if issubclass(item_class, (dict, scrapy.Item)):
        return {}
    try:
        declared = get_type_hints(item_class).get(name)
    except (NameError, TypeError):
        return None
    is_union = get_origin(declared) in (Union, UnionType)
    choices = {get_origin(c) or c for c in (get_args(declared) if is_union else [declared])}
    choices.discard(NoneType)
    made = choices.pop() if len(choices) == 1 else None
    try:
        return made() if isinstance(made, type) else None
    except (TypeError, ValueError):  # it cannot be made without values of its own
        return None


def _copy_with(item: Any, values: Mapping[str, Any]) -> Any:
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return dataclasses.replace(item, **values)
    if hasattr(item, "model_copy"):
        return item.model_copy(update=dict(values))
    import attr

    return attr.evolve(item, **values)
