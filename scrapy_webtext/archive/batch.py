"""The function of every engine: a batch of pages in, a batch of results out.

Pages are columns: ``html`` (text) or ``body`` (bytes), and if known ``url``, ``content_type`` (the
HTTP header's value) and ``error`` (why a page could not be read). Each page has one row in the
output. A page that fails has its error there, and the other pages have their results.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import lru_cache
from os import PathLike, fspath
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from scrapy_webtext.errors import InputError, MissingExtraError, SettingsError
from scrapy_webtext.extraction import INCLUDED, extract_page, format_names
from scrapy_webtext.log_text import describe
from scrapy_webtext.page import decode, decode_fixed, has_more_elements, parse
from scrapy_webtext.provenance import VERSION, version_of
from scrapy_webtext.registry import (
    DEFAULT_EXTRACTOR,
    DEFAULT_JUDGE,
    DEFAULT_THRESHOLD,
    make_extractor,
    make_judge,
)
from scrapy_webtext.results import DEFAULT_FIELDS, Extractor, Judge, WebTextResult, plain

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow", "archive") from None

_SIMPLE: Final = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}


def arrow_type(declared: Any) -> pa.DataType:
    """Return the type of a column for a declared type, such as ``tuple[str, ...] | None``."""
    if get_origin(declared) in (Union, UnionType):  # with None
        return arrow_type(get_args(declared)[0])
    if get_origin(declared) is tuple:
        return pa.list_(arrow_type(get_args(declared)[0]))
    if is_dataclass(declared):
        return pa.struct([(n, arrow_type(t)) for n, t in get_type_hints(declared).items()])
    return _SIMPLE[declared]


_DECLARED: Final = get_type_hints(WebTextResult)

#: Columns of the output. For a page that could not be read all but url and error are null.
RESULT_SCHEMA: Final = pa.schema(
    [
        ("url", pa.string()),
        *((name, arrow_type(_DECLARED[name])) for name in DEFAULT_FIELDS),
        ("error", pa.string()),
    ]
)

#: Types of the optional columns, which come before the error.
FORMAT_TYPES: Final = {name: arrow_type(_DECLARED[name]) for name in INCLUDED}

#: A row of the output, in the order of its schema.
Row = tuple[Any, ...]


@dataclass(frozen=True)
class ExtractionSettings:
    """Extractor, judge and limits; named as the ``WEBTEXT_*`` settings."""

    extractor: str = DEFAULT_EXTRACTOR
    extractor_options: Mapping[str, Any] = field(default_factory=dict)
    judge: str = DEFAULT_JUDGE
    judge_options: Mapping[str, Any] = field(default_factory=dict)
    threshold: float = DEFAULT_THRESHOLD
    max_body_size: int = 5_000_000  #: bytes; larger pages are errors; 0 for no limit
    max_elements: int = 50_000  #: pages with more are errors; 0 for no limit
    fix_encoding: bool = True
    formats: Sequence[str] = ()  #: optional columns, of `INCLUDED`

    @property
    def schema(self) -> pa.Schema:
        """Return the columns of the output; SettingsError for an unknown format."""
        format_names(self.formats)
        *first, error = RESULT_SCHEMA
        return pa.schema(
            [*first, *(pa.field(name, FORMAT_TYPES[name]) for name in self.formats), error]
        )

    @property
    def as_json(self) -> str:
        """Return the settings as JSON, which is equal for equal settings.

        SettingsError for options that JSON cannot hold: other processes get them as JSON.
        """
        return json.dumps(asdict(self), sort_keys=True, default=_as_json)

    def parts(self) -> tuple[Extractor, Judge]:
        """Return the extractor and judge, created once in a process; raise as `make_extractor`."""
        return _parts(self.as_json)


def _as_json(value: object) -> str:
    if isinstance(value, PathLike):
        return str(fspath(value))
    raise SettingsError(
        f"An option of the extractor or judge is of the type {type(value).__name__}: for archives, "
        f"give numbers, strings, paths, lists or dicts"
    )


@lru_cache(maxsize=8)
def _parts(as_json: str) -> tuple[Extractor, Judge]:
    given = json.loads(as_json)
    extractor = make_extractor(given["extractor"], given["extractor_options"])
    return extractor, make_judge(given["judge"], given["judge_options"])


DEFAULTS: Final = ExtractionSettings()


def extract_batch(batch: pa.RecordBatch, settings: ExtractionSettings = DEFAULTS) -> pa.RecordBatch:
    """Return the results of a batch of pages, row by row, with the columns of the settings.

    Equal batches give equal results. InputError for a batch without ``html`` and ``body``;
    SettingsError for an extractor or judge that cannot be created.
    """
    extractor, judge = settings.parts()
    version = version_of(settings) if VERSION in settings.formats else None
    rows = [_read(page, extractor, judge, settings, version) for page in _pages(batch)]
    schema = settings.schema
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(column, f.type) for column, f in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def extract_batches(
    batches: Iterator[pa.RecordBatch], settings: ExtractionSettings = DEFAULTS
) -> Iterator[pa.RecordBatch]:
    """Yield the results of each batch, as a function for Spark's ``mapInArrow``."""
    for batch in batches:
        yield extract_batch(batch, settings)


def extract_table(table: pa.Table, settings: ExtractionSettings = DEFAULTS) -> pa.Table:
    """Return the results of a table, as a function for Ray's ``map_batches``."""
    found = extract_batches(iter(table.to_batches()), settings)
    return pa.Table.from_batches(found, schema=settings.schema)


def _pages(batch: pa.RecordBatch) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield url, HTML or body, content type and error of each row."""
    names = batch.schema.names
    if not {"html", "body"} & set(names):
        raise InputError(f"No column html or body; the columns are: {', '.join(names) or 'none'}")
    urls, pages, bodies, content_types, errors = (
        _values(batch.column(names.index(name))) if name in names else [None] * len(batch)
        for name in ("url", "html", "body", "content_type", "error")
    )
    sources = [body if html is None else html for html, body in zip(pages, bodies, strict=True)]
    url, content_type, error = (map(_text, column) for column in (urls, content_types, errors))
    return zip(url, sources, content_type, error, strict=True)


def _values(column: pa.Array) -> list[Any]:
    """Return the values of a column; text that is no valid UTF-8 as bytes."""
    try:
        values: list[Any] = column.to_pylist()
        return values
    except UnicodeDecodeError:
        return [_text_or_bytes(value) for value in column.cast(pa.large_binary()).to_pylist()]


def _text_or_bytes(value: bytes | None) -> str | bytes | None:
    try:
        return value if value is None else value.decode()
    except UnicodeDecodeError:
        return value


def _text(value: object) -> str | None:
    """Return a value of any type as text, None as None."""
    if value is None or isinstance(value, str):
        return value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _read(
    page: tuple[Any, Any, Any, Any],
    extractor: Extractor,
    judge: Judge,
    settings: ExtractionSettings,
    version: str | None,
) -> Row:
    url, source, content_type, error = page
    if error is None:
        error = _fault(source, settings)
    if error is not None:
        return _failed(url, error, settings)
    try:
        if isinstance(source, bytes):
            decoded = decode_fixed if settings.fix_encoding else decode
            source = decoded(source, content_type)
        read = parse(source, url=url)
        formats = settings.formats
        result = extract_page(read, extractor, judge, settings.threshold, formats, version)
        values = (plain(getattr(result, name)) for name in (*DEFAULT_FIELDS, *formats))
        return (url, *values, None)
    except (Exception, SystemExit) as fault:  # a user's own extractor may raise anything
        return _failed(url, describe(fault), settings)


def _fault(source: Any, settings: ExtractionSettings) -> str | None:
    """Return why a cell is no page, or too large; None for a page that can be read."""
    if source is None:
        return "no HTML: the cell is empty"
    if not isinstance(source, str | bytes):
        return f"no HTML: the cell holds {type(source).__name__}"
    if settings.max_body_size and len(source) > settings.max_body_size:
        return f"too large: {len(source)} bytes, limit {settings.max_body_size}"
    body = source if isinstance(source, bytes) else source.encode("utf-8", "replace")
    if settings.max_elements and has_more_elements(body, settings.max_elements):
        return f"too many elements: over {settings.max_elements}"
    return None


def _failed(url: str | None, error: str, settings: ExtractionSettings) -> Row:
    return (url, *[None] * (len(RESULT_SCHEMA) - 2 + len(settings.formats)), error)


def encodable(text: str) -> str:
    """Return a text with question marks for lone surrogates, which UTF-8 cannot hold."""
    return str.encode(text, "utf-8", "replace").decode()
