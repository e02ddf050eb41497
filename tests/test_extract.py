"""``extract(html)`` and ``extract_many``: arguments; results as users see them."""

import json
from collections.abc import Iterator
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from parsel import Selector

from scrapy_webtext import WebTextResult, extract, extract_many
from scrapy_webtext.errors import NotHtmlError, SettingsError
from scrapy_webtext.page import parse
from scrapy_webtext.results import Breadcrumb
from tests.kits.data import read_json
from tests.lab import ATTACK

CASES = read_json(__file__, "odd_pages.json")


PAGE = "<article><p>One day it rained, and nobody in the town had an umbrella.</p>"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        *(
            (address, r"not its address .*scrapy webtext extract ADDRESS")
            for address in ("https://example.com/x", b" HTTP://example.com/x?y\n")
        ),
        (b"%PDF-1.7\n%\xe2\xe3\n1 0 obj << /Type /Catalog >>", "a PDF"),
        ("%PDF-1.7", "a PDF"),
        (b"\x89PNG\r\n\x1a\n<p>", "a PNG picture"),
        (b"\xff\xd8\xff\xe0", "a JPEG picture"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b\x08", "compressed with gzip"),
        ('{"title": "Rain", "body": "It rained."}', "JSON: give the field that has the HTML"),
        (b" [1, 2]", "JSON"),
        (b'[{"content": {"rendered": "<p>It rained.\\n</p>"}}]', "JSON"),
    ],
)
def test_content_that_is_no_html_is_refused_by_its_type(content, name):
    with pytest.raises(NotHtmlError, match=name):
        extract(content)


@pytest.mark.parametrize("content", CASES["texts"])
def test_odd_text_is_read_as_a_page(content):
    assert extract(content).main_text == content


@pytest.mark.parametrize("name", ["x.html", "pages/a-b.HTM", r"C:\a\x.xhtml"])
def test_the_name_of_a_file_is_refused_with_the_call_that_reads_it(name: str) -> None:
    with pytest.raises(NotHtmlError, match="read_bytes") as caught:
        extract(name)
    assert f"Path({name!r}).read_bytes()" in str(caught.value)


class Downloaded:
    content = b"<p>It rained."


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (Path("x.html"), "path.read_bytes()"),
        (Selector("<p>It rained."), "selector.get()"),
        (Selector("<p>It rained.").css("p"), "selector.get()"),
        (Selector("<p>It rained.").root, "lxml.html.tostring(element, encoding='unicode')"),
        (Downloaded(), "response.content"),
        (StringIO("<p>It rained."), "file.read()"),
    ],
)
def test_an_object_that_has_html_is_refused_with_the_way_to_it(value, hint) -> None:
    with pytest.raises(TypeError) as caught:
        extract(value)
    assert str(caught.value).endswith(f", not {type(value).__name__}: give {hint}")


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_html_may_be_any_bytes(kind) -> None:
    assert extract(kind(PAGE.encode())) == extract(PAGE.encode())
    assert [*extract_many([kind(PAGE.encode())])] == [extract(PAGE)]


def test_optional_fields_may_be_named_in_a_string_with_commas() -> None:
    assert extract(PAGE, include="title, language") == extract(PAGE, include=["title", "language"])
    with pytest.raises(SettingsError, match="'markdown'; it takes: extractor_version, main_m"):
        extract(PAGE, include="markdown")


@pytest.mark.parametrize("keyword", ["favor_precision", "with_metadata", "output_format"])
def test_a_keyword_of_trafilatura_is_refused_with_the_page_that_has_ours(keyword: str) -> None:
    with pytest.raises(SettingsError, match=r"docs/coming_from\.md"):
        extract(PAGE, **{keyword: True})


def test_a_result_is_shown_with_its_values_and_one_text() -> None:
    assert repr(extract("<p>It rained.", include="all")).count("It rained.") == 1
    assert "None" not in repr(extract("<p>It rained."))


def test_all_optional_fields_may_be_named_in_a_list() -> None:
    assert extract(PAGE, include=["all"]) == extract(PAGE, include="all")
    assert extract(PAGE, include=None) == extract(PAGE)


def test_an_unknown_keyword_is_refused_with_all_that_are_allowed() -> None:
    own = "extractor, judge, threshold, include, within, without$"
    with pytest.raises(SettingsError, match=rf"favour.*; extract\(\) takes: url, {own}"):
        extract(PAGE, judeg="learned")
    with pytest.raises(SettingsError, match=rf"extract_many\(\) takes: processes, {own}"):
        extract_many([], judeg="learned")


@pytest.mark.parametrize("threshold", [7, -0.1, "x", float("nan"), True])
def test_a_threshold_outside_0_to_1_is_refused(threshold):
    with pytest.raises(SettingsError, match="from 0 to 1"):
        extract(PAGE, threshold=threshold)


@pytest.mark.parametrize("judge", ["pvalue", "learned"])
def test_an_empty_page_has_no_article_at_threshold_0(judge: str) -> None:
    assert extract("<title>Rain</title>", judge=judge, threshold=0).has_article is False
    assert extract("<a href=/rain>Rain</a>", judge=judge, threshold=0).has_article is True


def test_the_text_does_not_depend_on_the_address():
    addresses = (None, "https://example.com/", "https://example.com/2024/05/14/rain.html")
    assert len({extract(PAGE, url=url).main_text for url in addresses}) == 1


@pytest.mark.parametrize("processes", [1, 2])
def test_many_pages_give_their_results_in_order(processes: int) -> None:
    paged = ('<title>x</title><link rel="canonical" href="/x"><p>Rain.', "https://example.com/y")
    pages = iter(
        [PAGE, b"%PDF-1.4", None, ("no address",), paged, [None, "https://example.com/z"]]
        + [f"<p>Page {n}." for n in range(40)]
    )
    page, pdf, nothing, short, addressed, listed, *others = extract_many(
        pages, processes=processes, extractor="pvalue", include="canonical_url"
    )
    assert page == extract(PAGE, extractor="pvalue")
    assert (pdf.status, pdf.reason) == ("skipped", "not_html")
    assert (nothing.status, nothing.extractor) == ("failed", "pvalue")
    assert (nothing.reason or "").startswith("TypeError: extract_many() takes str or bytes")
    with pytest.raises(TypeError, match=r"a list of pages, not str: give it \[page\]"):
        extract_many("<p>It rained.")
    assert short.status == "failed"
    assert addressed.canonical_url == "https://example.com/x"
    assert addressed.url == "https://example.com/y"
    assert (listed.status, listed.url) == ("failed", "https://example.com/z")
    assert [result.main_text for result in others] == [f"Page {n}." for n in range(40)]


class Frame:
    columns = ("html", "url")


@pytest.mark.parametrize("pages", [Frame(), {"html": [PAGE]}, PAGE.encode(), bytearray(b"<p>")])
def test_a_table_or_one_page_is_no_list_of_pages(pages) -> None:
    with pytest.raises(TypeError, match="takes a list of pages"):
        extract_many(pages)


def test_many_pages_are_read_one_by_one() -> None:
    asked = iter([PAGE] * 3)
    next(extract_many(asked, extractor="pvalue"))
    assert len(list(asked)) == 2


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"extractor": "bta"}, SettingsError),
        ({"radius": 3}, SettingsError),
        ({"include": "nope"}, SettingsError),
        ({"processes": 0}, SettingsError),
        ({"url": "https://example.com/"}, SettingsError),  # one address for many pages
    ],
)
def test_a_wrong_parameter_is_refused_before_the_first_page(how, error) -> None:
    with pytest.raises(error, match="url" if "url" in how else "."):
        extract_many([], **how)


class Text(str):
    """As numpy's, lxml's and markupsafe's texts."""

    def __str__(self) -> str:
        return "another text"


class Bytes(bytes):
    """As numpy's bytes."""


class Address:
    """As the URL objects of httpx and yarl."""

    def __str__(self) -> str:
        return "https://example.com/dir/page"


@pytest.mark.parametrize("html", [Text(PAGE), Bytes(PAGE.encode())])
def test_texts_and_addresses_of_other_classes_are_read_as_their_own(html: Any) -> None:
    for url in (Address(), Text("https://example.com/dir/page"), b"https://example.com/dir/page"):
        right = extract(PAGE, url="https://example.com/dir/page", include="all")
        assert extract(html, url=url, include="all") == right  # type: ignore[arg-type]
        assert [*extract_many([(html, url)], include="all")] == [right]  # type: ignore[list-item]
    with pytest.raises(TypeError, match="url must be a str, not float"):
        extract(PAGE, url=1.5)  # type: ignore[arg-type]


def odd_pages() -> Iterator[Any]:
    """Pages of which one cannot be pickled; then the source fails."""
    yield from (PAGE, memoryview(PAGE.encode()), lambda: PAGE, (PAGE, float("nan")), PAGE)
    raise OSError("the disk is gone")


def test_faults_in_the_pages_have_the_same_results_in_several_processes() -> None:
    found: list[list[str]] = []
    for processes in (1, 2):
        results = extract_many(odd_pages(), processes=processes)
        found.append([])
        with pytest.raises(OSError, match="the disk is gone"):
            found[-1].extend(result.status for result in results)
    assert found == [["ok", "ok", "failed", "ok", "ok"]] * 2


RESULT = WebTextResult("One day\nit rained & rained.", True, 0.75, 0.5, "bte", 0.9)


def test_a_notebook_shows_judgement_scores_and_text() -> None:
    shown = " ".join(parse(RESULT._repr_html_()).blocks.text)
    assert shown == (
        "Article bte, main_text_score 0.500 · p_value 0.750 · article_probability 0.900 "
        "One day it rained & rained."
    )


def test_a_notebook_shows_that_a_text_is_missing() -> None:
    html = extract("")._repr_html_()
    assert "<b>No article</b>" in html
    assert "No main text found." in html


def test_a_notebook_runs_no_script_of_the_page() -> None:
    html = WebTextResult(ATTACK, False, 0.0, 0.0, "<b>")._repr_html_()
    assert set(parse(html).nodes.tag) == {"html", "body", "div", "b", "small", "p"}
    assert "<script" not in html
    assert "<svg" not in html


def test_a_result_as_a_dict_can_be_written_as_json() -> None:
    crumb = Breadcrumb("Home", "https://example.com/")
    result = WebTextResult("text", None, None, 0.5, "bte", tags=("rain",), breadcrumbs=(crumb,))
    read = json.loads(json.dumps(result.to_dict()))
    assert list(read) == [field.name for field in fields(WebTextResult)]
    assert read["breadcrumbs"] == [{"name": "Home", "url": "https://example.com/"}]
    assert (read["main_text"], read["tags"], read["title"]) == ("text", ["rain"], None)
