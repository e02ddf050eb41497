"""Supports, distances and limits: the paper's equations."""

from __future__ import annotations

import pytest

from scrapy_webtext.extractors.wffte import WffteExtractor, support
from scrapy_webtext.page import parse
from tests.extractors.wffte.pages import OWN, STORM, nested, paths, text_of


@pytest.mark.parametrize(
    ("marks", "step"), [(0, 0.001), (2, 0.001), (3, 0.1), (5, 0.1), (6, 0.5), (60, 0.5)]
)
def test_punctuation_steps_are_those_of_equation_5(marks: int, step: float) -> None:
    assert support.punctuation_support(marks) == step


def test_general_support_is_equation_4() -> None:
    # 120 words outside links, 8 in links, 6 marks: 0.5 * 120 / 8.
    assert support.general_support(120, 8, 6) == 7.5


def test_title_support_weighs_the_second_word_more() -> None:
    # Eq. 3: 0.5 * 6 + 1 * 4.
    assert support.title_support(6, 4) == 7.0


def test_text_support_is_equation_1() -> None:
    assert support.text_support(1 / 1.1, 7.0, 7.5) == pytest.approx(14.5 / 1.1)


def test_distance_support_is_that_of_the_papers_example() -> None:
    # Eq. 2: html/body/div[1]/div[1] has 1 * 10**0 + 1 * 10**-1 = 1.1.
    page = parse("<body><div>x<div>y</div></div>")
    containers = OWN.find(page).held.containers
    assert [containers.path(row, page.nodes) for row in range(3)] == [
        "html/body",
        "html/body/div[1]",
        "html/body/div[1]/div[1]",
    ]
    assert [containers.distance_support(row) for row in range(3)] == [1, 1, pytest.approx(1 / 1.1)]


def test_distance_support_reads_the_serial_numbers_as_digits() -> None:
    page = parse(
        "<body><p></p><table></table><div>" + "<section></section>" * 3 + "<div>x</div></div>"
    )
    containers = OWN.find(page).held.containers
    last = len(containers.node) - 1
    assert containers.path(last, page.nodes) == "html/body/div[2]/div[4]"
    assert containers.distance_support(last) == pytest.approx(1 / 2.4)


def test_distance_support_as_printed_is_another_than_the_example_has() -> None:
    # Eq. 2 as printed: 1 * 10**0 + 1 * 10**1 = 11; with q = 2, 1 + 2 and 1 + 1/2.
    page = parse("<body><div>x<div>y</div></div>")

    def dsd(**options: object) -> float:
        extractor = WffteExtractor(content="own", **options)  # type: ignore[arg-type]
        return extractor.find(page).held.containers.distance_support(2)

    assert dsd(coordinate="equation") == pytest.approx(1 / 11)
    assert dsd(coordinate="equation", q=2) == pytest.approx(1 / 3)
    assert dsd(q=2) == pytest.approx(1 / 1.5)


def test_distance_support_of_a_deep_container_is_0_as_printed() -> None:
    page = parse("<body>" + "<div>" * 400 + "deep")
    containers = WffteExtractor(coordinate="equation").find(page).held.containers
    assert containers.distance_support(400) == 0.0


def test_weights_of_the_title_words_are_parameters() -> None:
    assert support.title_support(6, 4, 2.0, 0.25) == 13.0
    equal = WffteExtractor(content="own", min_link_words=1, alpha=1, beta=0)
    # TSD 2 * 1 + 1 * 0, PSD 3.
    assert paths(STORM, equal)["html/body/div[2]/div[1]"] == pytest.approx((2 + 3) / 2.1)
    tripled = WffteExtractor(content="own", min_link_words=1, alpha=1, beta=3)
    assert paths(STORM, tripled)["html/body/div[2]/div[1]"] == pytest.approx((2 + 3 + 3) / 2.1)


def test_path_distance_is_equation_6() -> None:
    labels, containers = nested(
        "<div><div><div>a</div><div><div>b</div></div></div></div><div>c</div>"
    )
    row = {label.removeprefix("html/body/"): number for number, label in enumerate(labels)}
    # The paper's example: 5 nodes and 6 nodes, of which 4 are shared: (5 - 4) + (6 - 4) - 1.
    assert (
        containers.path_distance(row["div[1]/div[1]/div[1]"], row["div[1]/div[1]/div[2]/div[1]"])
        == 2
    )
    assert containers.path_distance(row["div[1]"], row["div[2]"]) == 1
    assert containers.path_distance(row["div[1]"], row["div[1]/div[1]"]) == 0
    assert containers.path_distance(row["div[2]"], row["div[1]/div[1]/div[2]/div[1]"]) == 4


def far_text(extra: str) -> str:
    """A page whose second best container has uncle and nephew as relation to the best."""
    best = "One, two, three, four, five, six, seven words. " * 4
    return f"<body><div><div>{best}</div></div><div>{extra}</div></body>"


def test_limits_are_counted_as_in_the_papers_example_or_by_its_equation() -> None:
    # The best is div[1]/div[1], the other div[2]: 2 by the equation, 3 as the example counts.
    # The best has most of the text: the limit is 2.
    html = far_text("An uncle of it.")
    assert text_of(html).endswith("seven words.")
    assert text_of(html, path_distance="equation").endswith("An uncle of it.")


def test_limit_is_4_where_the_best_container_has_less_than_half_of_the_text() -> None:
    assert [support.distance_limit(share) for share in (0.49, 0.5, 1.0)] == [4, 2, 2]
    uncle = "no punctuation but more text than the best has " * 5
    assert text_of(far_text(uncle)).endswith(uncle.strip())


def test_only_the_best_seven_are_looked_at() -> None:
    boxes = "".join(f"<div class='c{n}'>{'Word, ' * (20 - n)}box{n}.</div>" for n in range(9))
    text = text_of(f"<body>{boxes}</body>")
    assert [n for n in range(9) if f"box{n}" in text] == list(range(7))
