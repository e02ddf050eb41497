"""The function behind every engine: a batch of pages in, a batch of results out."""

import pickle
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from scrapy_webtext import extract
from scrapy_webtext.archive import (
    RESULT_SCHEMA,
    ExtractionSettings,
    extract_batch,
    extract_batches,
    extract_table,
)
from scrapy_webtext.errors import InputError, SettingsError, UnknownExtractorError
from scrapy_webtext.extraction import INCLUDED
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Judgement
from tests.archive import html, url


def batch(**columns: Any) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(columns)


def rows(settings: ExtractionSettings | None = None, **columns: Any) -> list[dict[str, Any]]:
    found = extract_batch(batch(**columns), settings or ExtractionSettings())
    assert found.schema == RESULT_SCHEMA
    return found.to_pylist()


class Shout:
    name = "shout"

    def extract(self, page: Page) -> Extraction:
        if "fails" in page.source:
            raise ZeroDivisionError("as told")
        if "leaves" in page.source:
            sys.exit("as told")
        if "tells" in page.source:
            raise ValueError("\x1b[2J" + page.source)
        return Extraction(page.source.upper(), 1.0, self.name)


def test_each_row_is_what_extract_returns_for_its_page() -> None:
    (row,) = rows(url=[url(3)], html=[html(3)])
    result = extract(html(3), url=url(3))
    assert row == {
        "url": url(3),
        "main_text": result.main_text,
        "has_article": result.has_article,
        "p_value": result.p_value,
        "main_text_score": result.main_text_score,
        "article_probability": result.article_probability,
        "error": None,
    }


def test_bodies_are_decoded_by_their_header_or_by_their_own_word() -> None:
    text = "<article><p>" + "Zwölf Boxkämpfer jagen Viktor quer über den Deich. " * 20
    found = rows(
        body=[text.encode("cp1252"), text.encode("utf-16"), text.encode(), text.encode()],
        content_type=["text/html; charset=cp1252", None, None, "text/html; charset=iso-8859-1"],
    )
    assert {row["main_text"] for row in found} == {extract(text).main_text}


def test_encodings_are_left_as_they_are_called_where_that_is_asked_for() -> None:
    text = "<article><p>" + "Zwölf Boxkämpfer jagen Viktor quer über den Deich. " * 20
    columns: dict[str, Any] = {"body": [text.encode()], "content_type": ["text/html; charset=l1"]}
    (row,) = rows(ExtractionSettings(fix_encoding=False), **columns)
    assert "Ã¶" in row["main_text"]


def test_a_page_that_fails_gives_its_error_and_takes_no_other_with_it() -> None:
    settings = ExtractionSettings(extractor="tests.archive.test_batch.Shout", max_body_size=1000)
    found = rows(
        settings,
        url=["a", "b", "c", "d", "e", None],
        html=["good", "fails", None, "x" * 2000, "", "good"],
        error=[None, None, None, None, "damaged", None],
    )
    assert [row["main_text"] for row in found] == ["GOOD", None, None, None, None, "GOOD"]
    assert [row["error"] for row in found] == [
        None,
        "ZeroDivisionError: as told",
        "no HTML: the cell is empty",
        "too large: 2000 bytes, limit 1000",
        "damaged",
        None,
    ]
    assert [row["url"] for row in found] == ["a", "b", "c", "d", "e", None]
    assert found[1]["has_article"] is None


@pytest.mark.parametrize("page", ["<p>w" * 200, b"<p>w" * 200])
def test_a_page_with_too_many_elements_is_an_error(page: str | bytes) -> None:
    settings = ExtractionSettings("bte", max_elements=100)
    (row,) = rows(settings, **{"html" if isinstance(page, str) else "body": [page]})
    assert row["error"] == "too many elements: over 100"


def test_an_extractor_that_exits_fails_on_that_page_alone() -> None:
    settings = ExtractionSettings(extractor="tests.archive.test_batch.Shout")
    found = rows(settings, html=["good", "leaves", "good"])
    assert [row["error"] for row in found] == [None, "SystemExit: as told", None]


def test_the_message_of_an_error_is_escaped_and_bounded() -> None:
    settings = ExtractionSettings(extractor="tests.archive.test_batch.Shout")
    (row,) = rows(settings, html=["tells" * 10_000])
    assert row["error"].startswith(r"ValueError: \x1b[2Jtells")
    assert len(row["error"]) < 500


class Unsure:
    name = "unsure"

    def judge(self, page: Page, threshold: float = 0.5) -> Judgement:
        return Judgement(True, "high" if "odd" in page.source else 1.0, 0.5)  # type: ignore[arg-type]


def test_a_judge_that_returns_no_number_fails_on_that_page_alone() -> None:
    settings = ExtractionSettings(judge="tests.archive.test_batch.Unsure")
    found = rows(settings, html=["good", "odd", "good"])
    assert [row["error"] is None for row in found] == [True, False, True]
    assert found[1]["error"].startswith("ValueError: ")


def test_cells_that_hold_no_text_are_errors_of_their_own_rows() -> None:
    found = rows(html=pa.array([1, 2]), url=pa.array([3, None]))
    assert [row["error"] for row in found] == ["no HTML: the cell holds int"] * 2
    assert [row["url"] for row in found] == ["3", None]


def test_paths_are_options_and_other_objects_are_refused() -> None:
    settings = ExtractionSettings("naive_bayes", {"model": Path("no", "model.json")})
    assert '"no/model.json"' in settings.as_json
    with pytest.raises(SettingsError, match="of the type set: archives take numbers, strings"):
        ExtractionSettings("naive_bayes", {"model": {1}}).parts()


def test_an_empty_page_is_a_page_without_text_and_no_error() -> None:
    (row,) = rows(html=[""])
    assert (row["main_text"], row["has_article"], row["error"]) == ("", False, None)


def test_an_empty_batch_gives_an_empty_batch() -> None:
    empty = pa.RecordBatch.from_pydict({"html": pa.array([], pa.string())})
    assert extract_batch(empty).schema == RESULT_SCHEMA
    assert len(extract_batch(empty)) == 0


def test_columns_of_other_kinds_of_string_are_read() -> None:
    found = rows(
        url=pa.array([url(1)]).dictionary_encode(),
        html=pa.array([html(1)], pa.large_string()),
        content_type=pa.array([None], pa.null()),
    )
    assert found[0]["url"] == url(1)
    assert found[0]["error"] is None


def test_a_batch_without_pages_is_refused_with_the_columns_it_has() -> None:
    with pytest.raises(InputError, match="No column html or body; the columns are: url, text"):
        extract_batch(batch(url=["u"], text=["t"]))


def test_an_unknown_extractor_is_refused() -> None:
    with pytest.raises(UnknownExtractorError, match="bta"):
        extract_batch(batch(html=["x"]), ExtractionSettings(extractor="bta"))


def test_options_and_threshold_are_those_that_were_given() -> None:
    settings = ExtractionSettings("pvalue", {"reading": "paper"}, threshold=1.0)
    (row,) = rows(settings, html=[html(1).replace(" ", "  ")])
    assert row["has_article"] is False
    (other,) = rows(ExtractionSettings("pvalue"), html=[html(1).replace(" ", "  ")])
    assert row["main_text_score"] != other["main_text_score"]


def test_it_travels_to_other_processes() -> None:
    settings = ExtractionSettings("pvalue", {"reading": "paper"})
    extract_batch(batch(html=["x"]), settings)
    work = pickle.loads(pickle.dumps(partial(extract_batch, settings=settings)))
    assert work(batch(html=[html(1)])) == extract_batch(batch(html=[html(1)]), settings)


def test_it_serves_iterators_and_tables_as_well() -> None:
    batches = [batch(html=[html(n)]) for n in range(3)]
    table = pa.Table.from_batches(batches)
    expected = [extract_batch(one) for one in batches]
    assert list(extract_batches(iter(batches))) == expected
    assert extract_table(table) == pa.Table.from_batches(expected)


def test_renderings_are_further_columns_before_the_error() -> None:
    settings = ExtractionSettings(formats=("main_markdown", "blocks"))
    page = "<article><p>One <b>day</b> it rained, and all stayed in, said the mayor.</p></article>"
    found = extract_batch(batch(html=[page, None]), settings)
    assert found.schema.names == [*RESULT_SCHEMA.names[:-1], "main_markdown", "blocks", "error"]
    row, failed = found.to_pylist()
    result = extract(page, include=settings.formats)
    assert row["main_markdown"] == result.main_markdown
    assert result.blocks is not None
    assert [block["xpath"] for block in row["blocks"]] == [b.xpath for b in result.blocks]
    assert failed["blocks"] is failed["main_markdown"] is None
    assert failed["error"] is not None


def test_what_the_article_says_of_itself_is_a_column_each() -> None:
    settings = ExtractionSettings(formats=INCLUDED)
    page = "<meta name=author content='Ann Doe'><h1>Boat gone</h1><p>One day a boat was gone.</p>"
    found = extract_batch(batch(html=[page, None]), settings)
    row, failed = found.to_pylist()
    assert (row["title"], row["authors"], row["tags"]) == ("Boat gone", ["Ann Doe"], [])
    assert len(row["fingerprint"]) == 16
    assert failed["title"] is failed["authors"] is None


def test_a_rendering_that_is_not_known_is_refused() -> None:
    with pytest.raises(SettingsError, match="it takes: main_markdown, main_html, blocks"):
        extract_batch(batch(html=["<p>x"]), ExtractionSettings(formats=("markdown",)))
