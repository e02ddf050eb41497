"""Writes results into the fields of items of any class, and reads the fields of items.

A field may be a path: ``metadata.probability`` is a field of the item or dict in ``metadata``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sized
from contextlib import suppress
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import scrapy
from itemadapter import ItemAdapter

from scrapy_webtext.results import DESCRIBED, WebTextResult, plain
from scrapy_webtext.settings import FieldPreset

#: Errors of frozen dataclasses and attrs classes.
FROZEN_ERRORS = frozenset({"FrozenInstanceError", "FrozenAttributeError"})


def fill_item(
    item: Any,
    result: WebTextResult | None,
    fields: Mapping[str, str],
    *,
    keeps_described: bool = True,
) -> tuple[Any, list[str]]:
    """Return the item with a result in its fields, and the fields that it does not have.

    None, for a page that was not read, is written only into dicts, and never over a value. With
    ``keeps_described`` the title, authors and the like that the item has are kept. An item that
    has not all fields of a `FieldPreset` gets no value. Raise as `write`.
    """
    values = _values_of(result, fields)
    for path in described_by_spider(item, fields) if keeps_described else ():
        del values[path]
    if isinstance(item, dict):
        values = {path: read(item, path) if v is None else v for path, v in values.items()}
    else:
        values = {path: value for path, value in values.items() if value is not None}
    missing = missing_fields(item, fields.values())
    if missing and isinstance(fields, FieldPreset):
        return item, missing
    return write(item, {p: v for p, v in values.items() if p not in missing}), missing


def _values_of(result: WebTextResult | None, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the values by field; None if the page was not read, except status and reason."""
    shapes = fields.shapes if isinstance(fields, FieldPreset) else {}
    values: dict[str, Any] = {}
    for name, path in fields.items():
        is_known = result is not None and (result.status == "ok" or name in ("status", "reason"))
        value = plain(getattr(result, name)) if is_known else None
        values[path] = shapes[name](value) if name in shapes and value is not None else value
    return values


def described_by_spider(item: Any, fields: Mapping[str, str]) -> set[str]:
    """Return the fields of metadata that the spider filled already.

    A spider knows the site, so its values are better than ours.
    """
    return {fields[name] for name in DESCRIBED if name in fields and is_set(item, fields[name])}


def brings_text(item: Any, fields: Mapping[str, str]) -> bool:
    """Return whether an item already has its text, from `fill` or from the spider.

    That is so if its field for the text has a value that is neither None, empty nor the default of
    the class. An item without such a field, or with the empty text of a page that was read, is
    judged by its other fields.
    """
    text = fields.get("main_text")
    if text is None or missing_fields(item, [text]):
        decisive = list(fields.values())
    elif read(item, text) == "":
        decisive = [path for name, path in fields.items() if name not in DESCRIBED]
    else:
        decisive = [text]
    return any(is_set(item, path) for path in decisive)


def write(item: Any, values: Mapping[str, Any]) -> Any:
    """Return the item with these values in its fields, a copy if it is frozen.

    If a path leads through an empty field, an item of the field's annotated class is made for it.
    If the item's class raises for a value, that error is raised and the item is unchanged.
    """
    adapter = ItemAdapter(item)
    writable: dict[str, Any] = {}
    for path, value in values.items():
        name, _, inner = path.partition(".")
        if inner:
            part = writable.get(name, adapter.get(name))
            value = write(_new_part(type(item), name) if part is None else part, {inner: value})
        writable[name] = _as_declared(type(item), name, value)
    return _with(item, writable) if writable else item


def missing_fields(item: Any, paths: Iterable[str]) -> list[str]:
    """Return the paths that lead to no field of the item; a dict has every field."""
    return [path for path in paths if not _has_place(item, path)]


def read(item: Any, path: str) -> Any:
    """Return the value at a path such as ``metadata.probability``; None if missing."""
    value = item
    for name in path.split("."):
        value = ItemAdapter(value).get(name) if ItemAdapter.is_item(value) else None
    return value


def is_set(item: Any, path: str) -> bool:
    """Return whether a field has a value: not None, not empty, not the default of the class."""
    *outer, name = path.split(".")
    for step in outer:
        item = read(item, step)
    value = read(item, name)
    if value is None or (isinstance(value, Sized) and not len(value)):
        return False
    default = _defaults(item.__class__).get(name)
    return value is not default and bool(value != default)


@lru_cache
def _defaults(item_class: type) -> Mapping[str, Any]:
    """Return the defaults that a class declares for its fields, whether it takes them or not."""
    names = "__pydantic_fields__", "model_fields", "__dataclass_fields__", "__fields__"
    found = next(filter(None, (getattr(item_class, name, None) for name in names)), None)
    fields = found or {field.name: field for field in getattr(item_class, "__attrs_attrs__", ())}
    return {name: _default(field) for name, field in fields.items()}


def _default(field: Any) -> Any:
    """Return the default of a field of pydantic, attrs or dataclasses, or their mark for none."""
    factory: Any = getattr(field, "default_factory", None)
    factory = factory or getattr(field.default, "factory", None)
    try:
        return factory()
    except Exception:  # no factory, or a factory that takes the item
        return field.default


def _has_place(item: Any, path: str) -> bool:
    name, _, inner = path.partition(".")
    if not isinstance(item, dict) and name not in ItemAdapter(item).field_names():
        return False
    if not inner:
        return True
    part = ItemAdapter(item).get(name)
    part = _new_part(type(item), name) if part is None else part
    return ItemAdapter.is_item(part) and not missing_fields(part, [inner])


def _with(item: Any, values: Mapping[str, Any]) -> Any:
    """Return the item with these values, or a copy if it is frozen."""
    # pydantic raises no error of its own for frozen items.
    if getattr(item, "model_config", {}).get("frozen"):
        return _copy_with(item, values)
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
    """Return a copy of a frozen item with other values in these fields."""
    if hasattr(item, "model_copy"):
        return item.model_copy(update=dict(values))
    copied = copy.copy(item)
    for name, value in values.items():
        object.__setattr__(copied, name, value)
    if hasattr(type(item), "__attrs_attrs__"):
        import attr

        attr.validate(copied)
    return copied


def _new_part(item_class: type, name: str) -> Any:
    """Return an empty item of the one class that the field declares, a dict if it declares none."""
    if issubclass(item_class, (dict, scrapy.Item)):
        return {}
    made = _declared_class(item_class, name)
    try:
        return made() if made is not None else None
    except (TypeError, ValueError):  # the class needs values
        return None


def _as_declared(item_class: type, name: str, value: Any) -> Any:
    """Return a value whose dicts are items of the class that the field declares, if any.

    Errors of that class are raised.
    """
    rows = value if isinstance(value, list) else [value]
    if not rows or not all(isinstance(row, dict) for row in rows):
        return value
    made = _declared_class(item_class, name, is_list=isinstance(value, list))
    if made is None or issubclass(made, dict) or not ItemAdapter.is_item_class(made):
        return value
    items = [made(**row) for row in rows]
    return items if isinstance(value, list) else items[0]


def _declared_class(item_class: type, name: str, *, is_list: bool = False) -> type | None:
    """Return the one class that a class declares for a field, or for the rows of its list."""
    try:
        declared = get_type_hints(item_class).get(name)
    except (NameError, TypeError):
        return None
    is_union = get_origin(declared) in (Union, UnionType)
    choices = set(get_args(declared) if is_union else [declared]) - {NoneType}
    if is_list:
        choices = {row for one in choices if get_origin(one) is list for row in get_args(one)}
    found = choices.pop() if len(choices) == 1 else None
    found = get_origin(found) or found
    return found if isinstance(found, type) else None
