"""Writes results into the fields of items of any class, and reads the fields that items bring.

A field may be a path: ``metadata.probability`` is a field of the item or dict in ``metadata``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sized
from functools import lru_cache
from inspect import signature
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import scrapy
from itemadapter import ItemAdapter

from scrapy_webtext.results import DESCRIBED, WebTextResult, plain
from scrapy_webtext.settings import FieldPreset

#: Errors of frozen dataclasses and attrs classes.
FROZEN_ERRORS = frozenset({"FrozenInstanceError", "FrozenAttributeError"})

_ABSENT = object()


def values_of(result: WebTextResult | None, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the values by field name; None if the page was not read, except status and reason."""
    if result is None:
        return dict.fromkeys(fields.values())
    always_written = {"status", "reason"}
    shapes = fields.shapes if isinstance(fields, FieldPreset) else {}
    values: dict[str, Any] = {}
    for key, name in fields.items():
        value = (
            plain(getattr(result, key)) if result.status == "ok" or key in always_written else None
        )
        values[name] = shapes[key](value) if key in shapes and value is not None else value
    return values


def described_by_spider(item: Any, fields: Mapping[str, str]) -> set[str]:
    """Return the fields for what an article says of itself that the spider filled already.

    What it read of a page that it knows is better than what was found on any page.
    """
    paths = (fields[key] for key in DESCRIBED if key in fields)
    return {path for path in paths if _is_set(item, *path.split("."))}


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
        decisive = [path for key, path in fields.items() if key not in DESCRIBED]
    else:
        decisive = [text]
    return any(_is_set(item, *path.split(".")) for path in decisive)


def write(item: Any, values: Mapping[str, Any], is_whole: bool = False) -> tuple[Any, list[str]]:
    """Return the item with these values, and the fields that it does not have.

    A dict takes every field, other items the fields of their class. A frozen item is copied. If a
    path leads through an empty field, an item of the field's annotated class is made for it. With
    ``is_whole`` an item that lacks one of the fields gets no value at all. If the item's class
    raises for a value, that error is raised and the item is unchanged.
    """
    missing = missing_fields(item, values)
    if missing and is_whole:
        return item, missing
    adapter = ItemAdapter(item)
    writable: dict[str, Any] = {}
    for path, value in values.items():
        if path in missing:
            continue
        name, _, inner = path.partition(".")
        if inner:
            part = writable.get(name, adapter.get(name))
            part = _new_part(type(item), name) if part is None else part
            value, _ = write(part, {inner: value})
        writable[name] = _as_declared(type(item), name, value)
    return (_with(item, writable) if writable else item), missing


def missing_fields(item: Any, paths: Iterable[str]) -> list[str]:
    """Return the paths that lead to no field of the item."""
    declared = None if isinstance(item, dict) else set(ItemAdapter(item).field_names())
    return [path for path in paths if not _has_place(item, declared, path)]


def read(item: Any, path: str) -> Any:
    """Value that an item holds at a path such as ``metadata.probability``, or None."""
    value = item
    for name in path.split("."):
        value = ItemAdapter(value).get(name) if ItemAdapter.is_item(value) else None
    return value


def _is_set(item: Any, name: str, *inner: str) -> bool:
    value = ItemAdapter(item).get(name)
    if inner:
        return ItemAdapter.is_item(value) and _is_set(value, *inner)
    is_empty = value is None or (isinstance(value, Sized) and not len(value))
    return not is_empty and bool(value != _defaults(item.__class__).get(name))


@lru_cache
def _defaults(item_class: type) -> Mapping[str, Any]:
    """Return the defaults that a class declares for its fields."""
    try:
        parameters = signature(item_class).parameters
    except ValueError:  # of a class in C, such as dict
        return {}
    return {name: parameter.default for name, parameter in parameters.items()}


def _has_place(item: Any, declared: set[str] | None, path: str) -> bool:
    name, _, inner = path.partition(".")
    if declared is not None and name not in declared:
        return False
    if not inner:
        return True
    part = ItemAdapter(item).get(name)
    part = _new_part(type(item), name) if part is None else part
    return ItemAdapter.is_item(part) and not missing_fields(part, [inner])


def _with(item: Any, values: Mapping[str, Any]) -> Any:
    """Return the item with these values, or a copy if it is frozen."""
    if getattr(item, "model_config", {}).get("frozen"):  # pydantic's error does not tell
        return _copy_with(item, values)
    adapter = ItemAdapter(item)
    before = {name: adapter.get(name, _ABSENT) for name in values}
    try:
        for name, value in values.items():
            adapter[name] = value
    except Exception as error:
        if type(error).__name__ in FROZEN_ERRORS:
            return _copy_with(item, values)
        _restore(adapter, before)
        raise
    return item


def _restore(adapter: ItemAdapter, before: Mapping[str, Any]) -> None:
    for name, value in before.items():
        try:
            if value is not _ABSENT:
                adapter[name] = value
            elif name in adapter:
                del adapter[name]
        except Exception:  # it refuses its own old value: nothing more can be done
            return


def _copy_with(item: Any, values: Mapping[str, Any]) -> Any:
    """Return a copy of a frozen item with other values; whatever else it holds is kept."""
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
    """An empty item of the one class that the field declares, a dict where it declares none."""
    if issubclass(item_class, (dict, scrapy.Item)):
        return {}
    made = _class_of(_declared(item_class, name))
    try:
        return made() if isinstance(made, type) else None
    except (TypeError, ValueError):  # it cannot be made without values of its own
        return None


def _as_declared(item_class: type, name: str, value: Any) -> Any:
    """Return a value with its dicts as the items that a field declares, as it is without any.

    Raises what such a class raises for a value that it refuses.
    """
    rows = value if isinstance(value, list) else [value]
    if not rows or not all(isinstance(row, dict) for row in rows):
        return value
    declared = _declared(item_class, name)
    if isinstance(value, list):
        inner = {get_args(one) for one in _choices(declared) if get_origin(one) is list}
        declared = inner.pop()[0] if len(inner) == 1 else None
    made = _class_of(declared)
    if not isinstance(made, type) or issubclass(made, dict) or not ItemAdapter.is_item_class(made):
        return value
    items = [made(**row) for row in rows]
    return items if isinstance(value, list) else items[0]


def _declared(item_class: type, name: str) -> Any:
    """Return the type that a class declares for a field, None where it declares none."""
    if issubclass(item_class, (dict, scrapy.Item)):
        return None
    try:
        return get_type_hints(item_class).get(name)
    except (NameError, TypeError):
        return None


def _choices(declared: Any) -> list[Any]:
    is_union = get_origin(declared) in (Union, UnionType)
    return [one for one in (get_args(declared) if is_union else [declared]) if one is not NoneType]


def _class_of(declared: Any) -> Any:
    """Return the one class that a type stands for, None where there are several."""
    choices = {get_origin(one) or one for one in _choices(declared)}
    return choices.pop() if len(choices) == 1 else None
