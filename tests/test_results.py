"""Results as users see them."""

import json
from dataclasses import fields

from scrapy_webtext import WebTextResult, extract
from scrapy_webtext.page import parse
from scrapy_webtext.results import Breadcrumb
from tests.lab import ATTACK

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
