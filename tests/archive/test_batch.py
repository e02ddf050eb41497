"""``extract_batch`` takes a batch of pages and returns a batch of results."""

import pickle
import sys
from functools import partial
from typing import Any

import pyarrow as pa
import pytest

from scrapy_webtext import extract
from scrapy_webtext.archive import RESULT_SCHEMA, extract_batch, extract_batches, extract_table
from scrapy_webtext.errors import InputError
from scrapy_webtext.page import Page
from scrapy_webtext.reader import INCLUDED, PageReader
from scrapy_webtext.results import Extraction
from tests.archive import html, url

TEXT = "<article><p>" + "Zwölf Boxkämpfer jagen Viktor quer über den Deich. " * 20
BYTES = TEXT.encode()
SPACED = html(1).replace(" ", "  ")


def batch(**columns: Any) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(columns)


class Shout:
    name = "shout"

    def extract(self, page: Page) -> Extraction:
        if "fails" in page.source:
            raise ZeroDivisionError("on purpose")
        if "leaves" in page.source:
            sys.exit("on purpose")
        if "prints" in page.source:
            raise ValueError("\x1b[2J" + page.source)
        return Extraction(page.source.upper(), 1.0, self.name)


SHOUT = PageReader.of("tests.archive.test_batch.Shout", max_body_size=60_000)
SOME = PageReader.of(max_elements=100)
DEFAULT = PageReader.of()
PAPER = PageReader.of("pvalue", options={"reading": "paper"})


def results(page: str, **options: Any) -> dict[str, list[Any]]:
    result = extract(page, **options)
    return {n: [getattr(result, n)] for n in RESULT_SCHEMA.names if n not in ("url", "error")}


#: Settings, columns of pages, and columns of the results.
CASES: dict[str, tuple[PageReader, dict[str, Any], dict[str, list[Any]]]] = {
    "a text": (DEFAULT, {"url": [url(3)], "html": [html(3)]}, results(html(3), url=url(3))),
    "a body": (DEFAULT, {"html": [None], "body": [html(3).encode()]}, results(html(3))),
    "options": (PAPER, {"html": [SPACED]},
                results(SPACED, extractor="pvalue", reading="paper")),
    "threshold": (PageReader.of(threshold=1.0), {"html": [html(1)]}, {"has_article": [False]}),
    "bodies are decoded by their header or by themselves": (
        DEFAULT,
        {"body": [TEXT.encode("cp1252"), TEXT.encode("utf-16"), BYTES, BYTES],
         "content_type": ["text/html; charset=cp1252", None, None, "text/html; charset=l1"]},
        {"main_text": [extract(TEXT).main_text] * 4},
    ),
    "text that is no UTF-8 is read as a body": (
        DEFAULT,
        {"html": pa.array([TEXT.encode("cp1252"), BYTES, None]).view(pa.string())},
        {"main_text": [*[extract(TEXT).main_text] * 2, None]},
    ),
    "too many elements": (
        SOME, {"html": ["<p>w" * 200, None, ""], "body": [None, b"<p>w" * 200, None]},
        {"error": ["too many elements: over 100"] * 2 + [None]},
    ),
    "an empty page": (DEFAULT, {"html": [""]}, {"main_text": [""], "error": [None]}),
    "an empty batch": (DEFAULT, {"html": pa.array([], pa.string())}, {"url": [], "error": []}),
    "numbers": (DEFAULT, {"html": [1, 2], "url": [3, None]},
                {"error": ["no HTML: the cell holds int"] * 2, "url": ["3", None]}),
    "no HTML": (DEFAULT, {"html": ["%PDF-1.7 <", None, "{}"], "body": [None, b"GIF89a", None]},
                {"error": ["no HTML: it is a PDF", "no HTML: it is a GIF picture",
                           "no HTML: it is JSON"]}),
    "addresses that are bytes": (DEFAULT, {"html": ["", ""], "url": [b"http://a/\xff", b"b"]},
                                 {"url": ["http://a/\ufffd", "b"]}),
    "other kinds of string": (
        DEFAULT,
        {"url": pa.array([url(1)]).dictionary_encode(), "html": pa.array([html(1)]).cast("binary"),
         "content_type": pa.array([None], pa.null())},
        {"url": [url(1)], **results(html(1), url=url(1))},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_rows_of_a_batch(case: str) -> None:
    settings, columns, expected = CASES[case]
    found = extract_batch(batch(**columns), settings)
    assert found.schema == RESULT_SCHEMA
    assert {name: found[name].to_pylist() for name in expected} == expected


def test_a_page_that_fails_has_its_error_and_no_other_fails() -> None:
    errors = {
        "good": None,
        "fails": "ZeroDivisionError: on purpose",
        None: "no HTML: the cell is empty",
        "x" * 60_001: "too large: over 60000 bytes",
        "damaged": "of the reader",
        "leaves": "SystemExit: on purpose",
        "well": None,
    }
    given = [error if error == "of the reader" else None for error in errors.values()]
    found = extract_batch(batch(html=list(errors), url=list("abcdefg"), error=given), SHOUT)
    assert found["error"].to_pylist() == list(errors.values())
    assert found["url"].to_pylist() == list("abcdefg")
    assert found["main_text"].to_pylist() == ["GOOD", *[None] * 5, "WELL"]
    assert found["has_article"].to_pylist() == [False, *[None] * 5, False]


def test_the_message_of_an_error_is_escaped_and_bounded() -> None:
    found = extract_batch(batch(html=["prints" * 10_000]), SHOUT)
    (error,) = found["error"].to_pylist()
    assert error.startswith(r"ValueError: \x1b[2Jprints")
    assert len(error) < 500


def test_a_batch_without_pages_is_refused() -> None:
    with pytest.raises(InputError, match="the columns are: url, text"):
        extract_batch(batch(url=["u"], text=["t"]))


def test_all_functions_give_equal_results() -> None:
    batches = [batch(html=[html(n)]) for n in range(3)]
    expected = [extract_batch(one, PAPER) for one in batches]
    assert list(extract_batches(iter(batches), PAPER)) == expected
    table = extract_table(pa.Table.from_batches(batches), PAPER)
    assert table == pa.Table.from_batches(expected)
    elsewhere = pickle.loads(pickle.dumps(partial(extract_batch, reader=PAPER)))
    assert elsewhere(batches[1]) == expected[1]


def test_optional_columns_are_before_the_error() -> None:
    settings = PageReader.of(include=INCLUDED)
    page = "<meta name=author content='Ann Doe'><h1>Boat gone</h1><p>One <b>day</b> a boat left."
    found = extract_batch(batch(html=[page, None]), settings)
    assert found.schema.names == [*RESULT_SCHEMA.names[:-1], *INCLUDED, "error"]
    row, failed = found.to_pylist()
    result = extract(page, include=INCLUDED)
    assert (row["title"], row["authors"], row["tags"]) == ("Boat gone", ["Ann Doe"], [])
    assert (row["main_markdown"], row["fingerprint"]) == (result.main_markdown, result.fingerprint)
    assert result.blocks is not None
    assert [block["xpath"] for block in row["blocks"]] == [b.xpath for b in result.blocks]
    assert [name for name, value in failed.items() if value is not None] == ["error"]


def test_a_row_has_the_version_of_extract() -> None:
    reader = PageReader.of(include="extractor_version")
    (row,) = extract_batch(batch(html=[html(1)]), reader).to_pylist()
    version = extract(html(1), include="extractor_version").extractor_version
    assert row["extractor_version"] == version
