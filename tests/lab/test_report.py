"""The report as a document: complete, self-contained, and safe with any page."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from typing import Any

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_webtext.lab.pictures import ExtractorView
from scrapy_webtext.lab.report import render_report
from scrapy_webtext.page import parse
from scrapy_webtext.results import Extraction, Signal
from tests.lab import ATTACK, HTML, SENTENCE, hostile_page, report, views
from tests.lab.odd_systems import LENGTH


def scripts_of(html: str) -> list[str]:
    return re.findall(r"<script[^>]*>(.*?)</script>", html, re.DOTALL)


def data_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_report_has_every_block_with_its_text_in_order() -> None:
    page = parse(HTML)
    blocks = re.findall(r'<li id="b(\d+)"[^>]*>([^<]*)</li>', report(page))
    assert [int(number) for number, _ in blocks] == list(range(8))
    assert [text for _, text in blocks] == page.blocks.text


def test_the_report_has_the_judgement_and_the_metadata() -> None:
    html = report(parse(f'<html lang="en"><meta name="author" content="Ann Doe">{HTML}'))
    for part in (
        '<p class="answer">Article</p>',
        "length says <b>0.800</b>",
        "P value 0.400",
        "<td>Ann Doe</td><td>meta author</td>",
        "<td>en</td><td>&lt;html lang&gt;</td>",
    ):
        assert part in html
    html = report(parse(""))
    assert "There is no text on this page." in html
    assert '<p class="answer">No article</p>' in html


def test_the_report_loads_nothing() -> None:
    page = parse(HTML, url="https://example.com/boat?a=1&b=2")
    html = report(page)
    body = html.replace(re.findall(r"<script>(.*?)</script>", html, re.DOTALL)[-1], "")
    assert not re.findall(r"<(?:link|iframe|img|object|embed|base)\b", body)
    assert re.findall(r'(?:src|href)="([^"]*)"', body) == ["https://example.com/boat?a=1&amp;b=2"]
    assert "default-src &#39;none&#39;" in html


def test_the_policy_admits_only_two_scripts_by_their_hashes() -> None:
    html = report(parse(HTML))
    policy = html[html.index("default-src") : html.index("form-action")]
    admitted = re.findall(r"script-src &#39;sha256-([^&]*)&#39; &#39;sha256-[^&]*&#39;;", policy)
    own = hashlib.sha256(scripts_of(html)[-1].encode()).digest()
    assert admitted == [base64.b64encode(own).decode()]
    assert "unsafe-eval" not in policy


def test_a_hostile_page_adds_no_element_or_link_to_its_report() -> None:
    page = hostile_page()
    html = report(page)
    harmless = re.findall(
        r"<(\w+)", report(parse(f"<body><p>{SENTENCE}</p><p>x</p><p>y</p></body>"))
    )
    found = re.findall(r"<(\w+)", html)
    for tag in ("script", "svg", "img", "b", "iframe"):
        assert found.count(tag) == harmless.count(tag), tag
    assert 'href="javascript:' not in html
    assert not re.search(r"<[^>]*\son\w+=", html.replace(scripts_of(html)[-1], ""))
    assert "{{" in html  # shown as on the page, not run as a template
    shown = parse(html).blocks.text
    assert " ".join(ATTACK.split()) in {" ".join(text.split()) for text in shown}


def test_every_figure_is_one_that_plotly_accepts() -> None:
    pictures = data_of(report(parse(HTML)))["pictures"]
    assert {name: len(found) for name, found in pictures.items()} == {
        "agreement": 1, "per_block": 1, "per_node": 1, "per_token": 1, "per_line": 1, "silent": 0,
    }  # fmt: skip
    for picture in (picture for found in pictures.values() for picture in found):
        text = re.sub(r"var\(--[a-z-]+\)", "#123456", json.dumps(picture["figure"]))
        go.Figure(json.loads(text))


def test_infinite_values_leave_gaps() -> None:
    page = parse(HTML)
    values = (float("inf"), float("nan"), *[0.5] * (len(page.blocks) - 2))
    view = ExtractorView(Extraction("", 0.0, "odd"), (Signal("odd", "block", values),))
    (picture,) = data_of(render_report(page, [view], LENGTH))["pictures"]["odd"]
    assert picture["figure"]["data"][0]["y"][:3] == [None, None, 0.5]


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200) | st.text("<>/&'\"!-{}%[]ab= \u2028\n", max_size=200))
def test_any_page_gives_a_report_whose_data_can_be_read(html: str) -> None:
    page = parse(html, url=html)
    data = data_of(report(page))
    assert len(page.blocks) == len(data["facts"]) == len(data["votes"])
    assert {view.name for view in views(page)} == set(data["why"])


BLOCKS = f"<p>{SENTENCE}</p>" * 300


def seconds(html: str) -> float:
    page = parse(html)
    began = time.thread_time()
    report(page)
    return time.thread_time() - began


@pytest.mark.parametrize(
    "attributes",
    [f"class='{'abc ' * 500_000}'", " ".join(f"a{k}" for k in range(50_000))],
    ids=["long", "many"],
)
def test_long_attributes_of_the_body_do_not_slow_a_report_down(attributes: str) -> None:
    plain = min(seconds(f"<body>{BLOCKS}") for _ in range(3))
    assert min(seconds(f"<body {attributes}>{BLOCKS}") for _ in range(3)) < 2 * plain + 0.2
