"""What stands around many blocks is described once, however long its names and attributes."""

import time

import pytest

from scrapy_webtext.page import parse
from tests.lab.report import SENTENCE, report

BLOCKS = f"<p>{SENTENCE}</p>" * 300


def seconds(html: str) -> float:
    page = parse(html)
    began = time.thread_time()
    report(page)
    return time.thread_time() - began


@pytest.mark.parametrize(
    "attributes",
    [
        f"class='{'abc ' * 500_000}'",
        f"id='{'abc ' * 500_000}'",
        " ".join(f"a{k}" for k in range(50_000)),
    ],
    ids=["class", "id", "attributes"],
)
def test_a_report_costs_no_more_where_the_body_has_long_attributes(attributes: str) -> None:
    plain = min(seconds(f"<body>{BLOCKS}") for _ in range(3))
    assert min(seconds(f"<body {attributes}>{BLOCKS}") for _ in range(3)) < 2 * plain + 0.2
