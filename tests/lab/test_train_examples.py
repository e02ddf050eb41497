"""Weights of pages, and the kinds of pages that are made of them."""

from __future__ import annotations

from collections import Counter

from scrapy_webtext.lab.corpus import script_of
from scrapy_webtext.lab.made_pages import ARTICLE_SHARES, CATEGORY, LEAST_OTHERS, WITHOUT
from scrapy_webtext.lab.train_examples import (
    MOST_WEIGHT,
    Example,
    balanced_weights,
    made_kinds,
)
from tests.lab import training_example


def test_articles_and_other_pages_of_a_script_weigh_the_same() -> None:
    def pages(script: str, articles: int, others: int) -> list[Example]:
        kinds = [True] * articles + [False] * others
        return [
            training_example(0, script=script, type="article" if one else "listing")
            for one in kinds
        ]

    weights = balanced_weights([*pages("greek", 9, 3), *pages("cjk", 4, 0)])
    assert sum(weights[:9]) == sum(weights[9:12]) == 6
    assert weights[12:] == [0.0] * 4  # no other pages
    assert max(balanced_weights(pages("greek", 97, 3))) == MOST_WEIGHT


RAIN = {
    "english": "The river rose in the night and the dike was not high enough for that.",
    "german": "Der Fluss stieg in der Nacht, und der Deich war nicht hoch genug für das Wasser.",
    "latin": "Rzeka wezbrała tej nocy, a wał nie był wystarczająco wysoki.",
    "cyrillic": "Ночью река поднялась, и дамба оказалась недостаточно высокой.",
    "greek": "Το ποτάμι φούσκωσε τη νύχτα και το ανάχωμα δεν ήταν αρκετά ψηλό.",
    "cjk": "夜里河水上涨，堤坝不够高。",
    "other": "ارتفع النهر في الليل ولم يكن السد عاليا بما يكفي.",
}


def test_scripts() -> None:
    assert {name: script_of(text) for name, text in RAIN.items()} == {name: name for name in RAIN}
    assert script_of("") == "latin"


def test_scripts_with_few_other_pages_get_emptied_articles() -> None:
    def pages(script: str, kind: str) -> list[Example]:
        return [
            training_example(f"{script} {kind}{k}", script=script, type=kind, labels=[True])
            for k in range(8)
        ]

    greek, english = pages("greek", "article"), pages("english", "article")
    listings = pages("english", "listing")
    found = made_kinds([*greek, *english, *listings])
    kinds = Counter((id.split()[0], kind) for (_, id), kinds in found.items() for kind in kinds)
    assert kinds["greek", WITHOUT] == int(8 * LEAST_OTHERS)
    assert kinds["english", WITHOUT] == 0
    assert found == made_kinds([*listings, *greek[::-1], *english])
    assert {kind for (_, kind) in kinds} <= {WITHOUT, CATEGORY, *ARTICLE_SHARES}
