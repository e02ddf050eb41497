"""Made negatives, weights of pages, and groups that are left out."""

from __future__ import annotations

from collections import Counter
from typing import Any

from scrapy_webtext.lab.corpus import LabelledPage, script_of
from scrapy_webtext.lab.train_examples import (
    LEAST_OTHERS,
    MOST_WEIGHT,
    Example,
    articles_to_empty,
    as_other_page,
    balanced_weights,
    example,
    groups_of,
    real_pages,
    without_text,
)
from scrapy_webtext.page import parse
from tests.lab import made

STORY = "The harbour was quiet that morning, and the boats lay where they had been left."
PAGE = f"""<body><ul><li><a href=/>Home</a></ul><article class=post>
<h1>Quiet</h1><p>{STORY} {STORY}</p>A tail that goes on: {STORY}<p>{STORY}</p></article>
<footer>All rights reserved by the harbour</footer></body>"""


def boat(number: int, script: str, kind: str = "article", **fields: Any) -> Example:
    labelled = LabelledPage(f"{script}{number}{kind}", PAGE, STORY, type=kind)
    found = example("boats", labelled, parse(PAGE))
    assert found is not None
    for name, value in {"script": script, **fields}.items():
        setattr(found, name, value)
    return found


def test_a_page_without_its_text_is_no_article_and_keeps_its_elements_and_its_other_text() -> None:
    page = parse(PAGE)
    gold = f"{STORY} {STORY}\nA tail that goes on: {STORY}\n{STORY}"
    labelled = LabelledPage("1", PAGE, gold, type="article")
    emptied = without_text(labelled, page)
    assert emptied.blocks.text == ["Home", "Quiet", "All rights reserved by the harbour"]
    assert emptied.nodes.tag == page.nodes.tag
    assert emptied.nodes.attributes == page.nodes.attributes
    assert page.blocks.text == parse(PAGE).blocks.text
    other = as_other_page(labelled)
    assert (other.text, other.type == "article", other.id == "1") == ("", False, False)


def test_scripts_with_few_other_pages_get_some_and_words_are_learned_of_real_ones() -> None:
    greek = [boat(k, "greek") for k in range(8)]
    english = [boat(k, "english") for k in range(8)]
    others = [boat(k, "english", "listing") for k in range(8)]
    chosen = list(articles_to_empty([*greek, *english, *others]))
    assert Counter(e.script for e in chosen) == {"greek": int(8 * LEAST_OTHERS)}
    assert chosen == list(articles_to_empty([*others, *greek[::-1], *english]))
    assert not list(articles_to_empty([boat(k, "greek", labels=[]) for k in range(8)]))
    emptied = boat(2, "greek", id=as_other_page(LabelledPage("1", PAGE, STORY)).id)
    assert real_pages([greek[0], emptied]) == [greek[0]]


def test_the_articles_of_a_script_weigh_as_much_as_its_other_pages() -> None:
    def pages(script: str, articles: int, others: int) -> list[Example]:
        kinds = [True] * articles + [False] * others
        return [made(0, script=script, is_article=is_article) for is_article in kinds]

    weights = balanced_weights([*pages("greek", 9, 3), *pages("cjk", 4, 0)])
    assert sum(weights[:9]) == sum(weights[9:12]) == 6
    assert weights[12:] == [0.0] * 4  # no other page to tell its articles from
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


def test_a_page_of_two_corpora_is_left_out_with_both() -> None:
    twice, once = "https://a.example/1", "https://b.example/2"
    pages = [
        ("x/news.jsonl.gz", LabelledPage("n1", "", RAIN["greek"], twice)),
        ("x/news.jsonl.gz", LabelledPage("n2", "", RAIN["german"], once)),
        ("x/blogs.jsonl.gz", LabelledPage("b1", "", RAIN["greek"], twice)),
    ]
    assert groups_of("corpus", pages, 0) == {
        "blogs": [("news", "n1"), ("blogs", "b1")],
        "news": [("news", "n1"), ("news", "n2"), ("blogs", "b1")],
    }
    assert groups_of("script", pages, 0)["german"] == [("news", "n2")]


def test_sites_stay_together_in_folds() -> None:
    pages = [
        (corpus, LabelledPage(f"{corpus}{k}", "", "x", f"https://{k}.example/{corpus}"))
        for corpus in ("a", "b")
        for k in range(30)
    ]
    found = groups_of("domain", pages, 0)
    assert sum(map(len, found.values())) == 60
    for group in found.values():
        assert {name[1:] for c, name in group if c == "a"} == {n[1:] for c, n in group if c == "b"}
