"""Types of the columns of a Parquet file: the kind of each value, and Arrow arrays of a kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

from scrapy_webtext.errors import MissingExtraError

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtraError("The exporter of Parquet", "pyarrow", "archive") from None

Value: TypeAlias = bool | int | float | bytes | str | None

#: Whole numbers that a double holds exactly.
EXACT_AS_FLOAT: Final = range(-(2**53), 2**53 + 1)
INT64: Final = range(-(2**63), 2**63)


class Kind(Enum):
    """What the values of a column are; the values are the names in warnings."""

    EMPTY = "nothing"
    BOOL = "bool"
    INT = "int"
    LONG = "int beyond 2**53"
    HUGE = "int beyond 64 bits"
    FLOAT = "float"
    BYTES = "bytes"
    TEXT = "text"


TYPES: Final[Mapping[Kind, Any]] = {
    Kind.BOOL: pa.bool_(),
    Kind.INT: pa.int64(),
    Kind.LONG: pa.int64(),
    Kind.FLOAT: pa.float64(),
    Kind.BYTES: pa.binary(),
}


def kind_of(value: Value) -> Kind:
    """Return the narrowest kind that holds a value."""
    if value is None:
        return Kind.EMPTY
    if isinstance(value, bool):
        return Kind.BOOL
    if isinstance(value, int):
        if value in EXACT_AS_FLOAT:
            return Kind.INT
        return Kind.LONG if value in INT64 else Kind.HUGE
    if isinstance(value, float):
        return Kind.FLOAT
    return Kind.BYTES if isinstance(value, bytes) else Kind.TEXT


def wider(one: Kind, other: Kind) -> Kind:
    """Return the narrowest kind that holds the values of both, none of them changed."""
    if one is other or other is Kind.EMPTY:
        return one
    if one is Kind.EMPTY:
        return other
    if {one, other} == {Kind.INT, Kind.LONG}:
        return Kind.LONG
    return Kind.FLOAT if {one, other} == {Kind.INT, Kind.FLOAT} else Kind.TEXT


def as_text(value: Value) -> str | None:
    """Return a value in a column of text: JSON, but for strings and bytes, which are read."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return json.dumps(value)


def schema(kinds: Mapping[str, Kind]) -> Any:
    """Return the schema of columns of these kinds."""
    return pa.schema([(name, TYPES.get(kind, pa.string())) for name, kind in kinds.items()])


def batch(rows: list[Mapping[str, Value]], kinds: Mapping[str, Kind]) -> Any:
    """Return rows as a batch with columns of these kinds; missing values are null."""
    arrays = [_array([row.get(name) for row in rows], kind) for name, kind in kinds.items()]
    return pa.RecordBatch.from_arrays(arrays, schema=schema(kinds))


def _array(values: list[Value], kind: Kind) -> Any:
    if kind in TYPES:
        return pa.array(values, TYPES[kind])
    return pa.array([as_text(value) for value in values], pa.string())


def converted(table: Any, before: Mapping[str, Kind], kinds: Mapping[str, Kind]) -> Any:
    """Return the rows of a table of the kinds ``before`` as a batch of these, wider kinds."""
    arrays = []
    for name, kind in kinds.items():
        then = before.get(name, Kind.EMPTY)
        if then is Kind.EMPTY:
            arrays.append(pa.nulls(len(table), TYPES.get(kind, pa.string())))
        elif TYPES.get(then) == TYPES.get(kind):
            arrays.append(table[name].combine_chunks())
        else:
            arrays.append(_array(table[name].to_pylist(), kind))
    return pa.RecordBatch.from_arrays(arrays, schema=schema(kinds))
