"""Articles made longer, cut, split, and with other texts of a site around them."""

from __future__ import annotations

import json
from random import Random

import pytest

from scrapy_webtext.extractors.fusion.features.block_features import compute_features
from scrapy_webtext.extractors.fusion.features.declared import NO_TOKENS
from scrapy_webtext.extractors.fusion.features.templates import NO_TOKEN_SCORES
from scrapy_webtext.lab.corpus import LabelledPage, match_words
from scrapy_webtext.page import parse
from scrapy_webtext.render.captions import find_captions
from training import examples, made_pages, resource, surroundings
from training.grafts import TEST, TRAIN, sources
from training.surroundings import KINDS, PLACES, Article, Other

OWN = [f"{word} boats lay in the old harbour that morning, and none of them left." for word in
       ("One", "Two", "Six", "Ten", "Few", "All")]  # fmt: skip
HTML = (
    "<html lang=en><title>Boats</title><body><main><div class=story><h1>Boats</h1>"
    + "".join(f"<p class=body-text>{line}</p>tail {k}" for k, line in enumerate(OWN))
    + "</div></main></body>"
)
PAGE = LabelledPage("1", HTML, "\n".join(OWN), "https://harbour.example/boats", "article")
OTHERS = [
    Other(
        f"Title of the story {k}",
        [f"Sentence {n} of story {k} is a long one, with words. And more." for n in range(9)],
    )
    for k in range(12)
]


def article() -> Article:
    found = surroundings.find_article(PAGE)
    assert found is not None
    return found


@pytest.mark.parametrize("part", [TRAIN, TEST])
@pytest.mark.parametrize("kind", KINDS)
def test_surroundings_are_beside_the_gold_text_at_every_place(kind: str, part: str) -> None:
    for seed, place in enumerate(PLACES):
        one = article()
        html = surroundings.draw(one, OTHERS, Random(seed), part, kind)
        one.put(html, place, Random(seed))
        made = one.page("around")
        texts = parse(made.html).blocks.text
        assert set(OWN) | set(made.excluded) <= set(texts)
        assert [text for text in texts if text.startswith("tail")] == [
            f"tail {k}" for k in range(6)
        ]
        assert made.text == PAGE.text


def test_a_longer_article_has_more_gold_paragraphs_of_its_own_kind() -> None:
    one = article()
    assert one.lengthen(8, OTHERS, Random(1))
    made = one.page("long")
    page = parse(made.html)
    assert 7 < len(made.text) / len(PAGE.text) < 10
    assert made.text.split("\n") == [t for t in page.blocks.text if t[:5] not in ("Boats", "tail ")]
    assert made.html.count('class="body-text"') > 40
    assert not article().lengthen(500, OTHERS, Random(1))  # too few other paragraphs


def test_a_cut_article_keeps_its_first_paragraphs() -> None:
    one = article()
    assert one.cut(2)
    made = one.page("cut")
    assert made.text.split("\n") == OWN[:2]
    assert not set(OWN[2:]) & set(parse(made.html).blocks.text)
    assert not article().cut(6)


def test_an_article_that_goes_on_elsewhere_is_not_cut() -> None:
    html = HTML.replace("</main>", f"<table><tr><td>{OWN[5]}<p>More</table></main>")
    one = surroundings.find_article(LabelledPage("2", html, PAGE.text))
    assert one is not None
    assert not one.cut(2)


def test_both_halves_of_a_split_article_are_gold() -> None:
    one = article()
    assert one.split("<div class=ad>Advertisement</div>")
    page = parse(one.page("split").html)
    assert one.page("split").html.count('class="story"') == 2
    assert page.blocks.text.index("Advertisement") > page.blocks.text.index(OWN[2])
    assert one.page("split").excluded == ("Advertisement",)


@pytest.mark.parametrize("kind", sorted(made_pages.SURROUNDED))
def test_the_surroundings_of_an_example_are_no_content(kind: str) -> None:
    made = [surroundings.make(kind, PAGE, OTHERS, Random(seed)) for seed in range(20)]
    for page in filter(None, made):
        found = examples.example("corpus", page, parse(page.html))
        assert found is not None
        parsed = parse(page.html)
        matched = match_words(parsed.blocks.text, page.text)
        assert sum(found.labels) == sum(one.share > 0.5 for one in matched if one.words) > 0
        texts = compute_features(parsed, NO_TOKENS, NO_TOKEN_SCORES).texts
        near = examples.near_some([text in page.excluded for text in texts.text])
        captions = find_captions(parsed)
        own = [number not in captions for number in texts.numbers]
        assert found.lesson == made_pages.LESSONS[kind]
        if kind in surroundings.ENDS:
            own = [all(pair) for pair in zip(own, near, strict=True)]
        assert found.trains == own
        assert made_pages.kind_of(page.id) == kind
    assert any(made)
    assert surroundings.make(kind, PAGE, OTHERS[:3], Random(1)) is None


def test_what_is_near_is_before_and_after() -> None:
    marks = [k == 5 for k in range(12)]
    assert examples.near_some(marks) == [2 <= k <= 8 for k in range(12)]
    assert not any(examples.near_some([False] * 9))


def test_only_wordings_of_the_surroundings_train_words() -> None:
    one = article()
    html = surroundings.draw(one, OTHERS, Random(5), TRAIN, "most read")
    one.put(html, "end", Random(5))
    made = one.page("around")
    spoken = {text for text in made.excluded if "story" not in text and not text.isdigit()}
    assert set(made.required) == spoken != set()


def test_captions_of_pictures_do_not_train() -> None:
    caption = "<figure><img src=a.jpg><figcaption>The harbour at noon</figcaption></figure>"
    html = HTML.replace("<p class", f"{caption}<p class", 1)
    found = examples.example("corpus", PAGE, parse(html))
    assert found is not None
    assert found.trains.count(False) == 1


def test_the_parts_share_no_template_and_no_wording() -> None:
    train, test = (sources()["around", part] for part in (TRAIN, TEST))
    assert list(train) == [kind for kind in train if kind in test]
    assert not {s for some in train.values() for s in some} & {s for t in test.values() for s in t}
    wordings = json.loads(resource("surroundings.json"))
    for key, of_test in wordings["test"].items():
        of_train = wordings["train"][key]
        assert of_train.keys() >= of_test.keys()
        assert not _all(of_train) & _all(of_test)


def _all(wordings: dict[str, str]) -> set[str]:
    return {word.strip().casefold() for listed in wordings.values() for word in listed.split("|")}
