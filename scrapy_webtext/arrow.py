"""The types of results as columns of Arrow, for archives and for feeds in Parquet."""

from __future__ import annotations

from dataclasses import is_dataclass
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.results import RESULT_FIELDS, WebTextResult

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtraError("Parquet", "pyarrow", "archive") from None

__all__ = ["RESULT_TYPES", "arrow_type", "encodable", "pa"]

_SIMPLE: Final = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}


def arrow_type(declared: Any) -> pa.DataType:
    """Return the Arrow type for a type annotation such as ``tuple[str, ...] | None``."""
    if get_origin(declared) in (Union, UnionType):  # such as ``str | None``
        return arrow_type(get_args(declared)[0])
    if get_origin(declared) is tuple:
        return pa.list_(arrow_type(get_args(declared)[0]))
    if is_dataclass(declared):
        return pa.struct([(n, arrow_type(t)) for n, t in get_type_hints(declared).items()])
    if get_origin(declared) is Literal:
        return _SIMPLE[type(get_args(declared)[0])]
    return _SIMPLE[declared]


_DECLARED: Final = get_type_hints(WebTextResult)

#: Result field -> Arrow type of its column.
RESULT_TYPES: Final = {n: arrow_type(_DECLARED[n]) for n in RESULT_FIELDS}


def encodable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by question marks."""
    return str.encode(text, "utf-8", "replace").decode()
