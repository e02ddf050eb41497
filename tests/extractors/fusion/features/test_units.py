"""Which blocks are main text together."""

import pytest

from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable, compute_features
from scrapy_webtext.extractors.fusion.features.templates import NO_TOKEN_SCORES
from scrapy_webtext.extractors.fusion.features.units import CODE, FIGURE, LIST, PICTURE, TABLE
from scrapy_webtext.page import parse
from tests.kits.data import read_json

CASES = read_json(__file__, "units.json")


LINE = "The ferry to the islands runs every two hours, the harbour office said on Monday."
PARAGRAPHS = f"<p>{LINE}</p>" * 3
STORY = f"<a href=/>Home</a><article>{PARAGRAPHS}{{}}{PARAGRAPHS}</article>"


def features(html: str) -> FeatureTable:
    return compute_features(parse(html), TokenTable({}, {}), NO_TOKEN_SCORES)


def units(html: str) -> list[int]:
    """Return the sizes of units, in order."""
    table = features(html)
    return [z - a for a, z in dict.fromkeys(zip(table.units.first, table.units.end, strict=True))]


@pytest.mark.parametrize(("structure", "size"), CASES["structures"])
def test_a_structure_between_paragraphs_is_one_unit(structure: str, size: int) -> None:
    assert units(STORY.format(structure)) == [1, 1, 1, 1, size, 1, 1, 1]


@pytest.mark.parametrize(
    "page",
    [
        f"<ul><li><p>{LINE}<p>{LINE}<li><p>{LINE}<p>{LINE}</ul>",
        f"<table><tr><td><p>{LINE}<p>{LINE}<td><p>{LINE}<p>{LINE}</table>",
    ],
)
def test_a_list_or_table_with_all_the_prose_is_no_unit(page: str) -> None:
    assert units(page) == [1, 1, 1, 1]


def test_text_directly_in_an_element_is_a_unit_of_its_own() -> None:
    assert units(f"<div>{LINE}<table><tr><td>1<td>2</table>{LINE}<p>{LINE}</div>") == [1, 2, 1, 1]


def test_features_of_a_unit_worked_by_hand() -> None:
    box = "<ul><li><a href=/a>One</a><li><a href=https://other.example/>Two</a> <img><li>Three</ul>"
    table = features(STORY.format(box))
    of_box = {name: column[4] for name, column in table.columns.items()}
    expected = {
        "unit_blocks": 3,
        "unit_unlinked": 5,
        "unit_link_density": 6 / 11,
        "before_unit_prose": 3 * len(LINE),
        "after_unit_prose": 3 * len(LINE),
        "unit_pictures": 1,
        "unit_controls": 0,
        "unit_of_links": 2 / 3,
    }
    assert {name: of_box[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("structure", "number"),
    [
        ("<div><p>Table 1: fares</p><table><tr><td>North<td>4 to 12 a day</table></div>", TABLE),
        ("<div class=x><ul><li>Rope<li>Lamp</ul></div>", LIST),
        ("<div><button>Copy</button><pre>boats = count(harbour)</pre></div>", CODE),
        ("<figure><img src=a.png><figcaption>A boat</figcaption></figure>", FIGURE),
        ("<div><img src=a.png><p>A boat</p></div>", PICTURE),
        ("<div><h3>Fares</h3><p>All boats cost the same.</p></div>", 0),
        ("<p>A boat.</p><ul hidden><li>Rope</ul>", 0),
    ],
)
def test_the_structure_of_a_unit_is_the_element_with_most_of_its_text(
    structure: str, number: int
) -> None:
    assert features(STORY.format(structure)).columns["unit_structure"][4] == number


def test_hidden_structures_after_all_text_have_no_unit() -> None:
    columns = features(f"<p>{LINE}</p><ul hidden><li>Rope</ul>").columns
    assert columns["unit_structure"].tolist() == [0]
