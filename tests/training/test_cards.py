"""Labels of recipe pages whose gold is only what their text must contain."""

from __future__ import annotations

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.page import parse
from tests.kits.data import read_json
from training.cards import card
from training.examples import example
from training.made_pages import make_page

PAGE = """<nav>Soups</nav><h1>Leek soup</h1><p>My aunt made it every Monday.</p>
<div class=card><button>Pin</button><span>Print</span><p>1x</p><p>2x</p><h3>Ingredients</h3>
<ul><li>3 leeks, sliced<li><b>1 l</b> of water<li><p>2 tbsp</p><p>salted butter</p></ul>
<h3>Method</h3><ol><li>Melt the butter and add the leeks.<li>Pour in the water.</ol>
<p>Cook Mode Prevent your screen from going dark</p></div><footer>About me</footer>"""
WITH = tuple(read_json(__file__, "labels.json")["recipe"])


def test_segments_are_content_buttons_and_menus_are_not() -> None:
    labelled = LabelledPage("1", PAGE, "", type="recipe", required=WITH)
    found = card(labelled, parse(PAGE))
    assert found is not None
    assert found.text.split("\n") == [
        "3 leeks, sliced",
        "1 l of water",
        "2 tbsp",
        "salted butter",
        "Melt the butter and add the leeks.",
        "Pour in the water.",
    ]
    cook_mode = "Cook Mode Prevent your screen from going dark"
    others = set(found.required) - set(found.text.split("\n"))
    assert others == {"Soups", "Pin", "Print", "1x", "2x", cook_mode, "About me"}
    assert found.id == "1 made: card"


def test_a_page_without_its_segments_has_no_card() -> None:
    labelled = LabelledPage("1", PAGE, "", type="recipe", required=("4 potatoes, peeled",))
    assert card(labelled, parse(PAGE)) is None


def test_the_labels_of_a_card_are_its_segments() -> None:
    labelled = LabelledPage("1", PAGE, "", type="recipe", required=WITH)
    labels, page = make_page("card", labelled, parse(PAGE)) or (labelled, parse(PAGE))
    found = example("recipes", labels, page)
    assert found is not None
    assert (sum(found.labels), len(found.labels) > 6) == (6, True)
