"""Training: examples, words, naive Bayes and fusion learn what they should from labelled pages."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import log
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.fusion.features.declared import BAG_FEATURES, bag_score
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES
from scrapy_webtext.extractors.fusion.model import Forest, logistic
from scrapy_webtext.extractors.naive_bayes import BLOCKINGS, Blocking, NaiveBayesExtractor
from scrapy_webtext.lab import train_fusion as training
from scrapy_webtext.lab import train_words
from scrapy_webtext.lab.corpus import LabelledPage, script_of
from scrapy_webtext.lab.made_pages import ARTICLE_SHARES, LEAST_OTHERS
from scrapy_webtext.lab.train_examples import (
    FOLDS,
    MOST_WEIGHT,
    Example,
    TokenCounts,
    balanced_weights,
    count_tokens,
    fold_of,
    made_kinds,
)
from scrapy_webtext.lab.train_naive_bayes import train
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import parse
from tests.lab import labelled, training_example, write_corpus


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


TEXTS = {
    "english": "The river rose in the night and the dike was not high enough for that.",
    "german": "Der Fluss stieg in der Nacht, und der Deich war nicht hoch genug für das Wasser.",
    "latin": "Rzeka wezbrała tej nocy, a wał nie był wystarczająco wysoki.",
    "cyrillic": "Ночью река поднялась, и дамба оказалась недостаточно высокой.",
    "greek": "Το ποτάμι φούσκωσε τη νύχτα και το ανάχωμα δεν ήταν αρκετά ψηλό.",
    "cjk": "夜里河水上涨，堤坝不够高。",
    "other": "ارتفع النهر في الليل ولم يكن السد عاليا بما يكفي.",
}


def test_scripts() -> None:
    assert {name: script_of(text) for name, text in TEXTS.items()} == {name: name for name in TEXTS}
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
    assert kinds["greek", "without"] == int(8 * LEAST_OTHERS)
    assert kinds["english", "without"] == 0
    assert found == made_kinds([*listings, *greek[::-1], *english])
    assert {kind for (_, kind) in kinds} <= {"without", "category", *ARTICLE_SHARES}


PLACES = [PAGE_FEATURES.index(name) for name in BAG_FEATURES]


def counted(number: int, tokens: TokenCounts, type: str = "article", site: str = "") -> Example:
    one = {"gold_words": 1, "words": [1], "matched": [1], "labels": [True]}
    return training_example(number, site=site, type=type, tokens=tokens, **one)


def bag(number: int, is_article: bool, names: set[str], terms: set[str], site: str = "") -> Example:
    return training_example(
        number,
        site=site,
        type="article" if is_article else "shop",
        bag_of_words=(frozenset(names), frozenset(terms)),
        page=np.zeros(len(PAGE_FEATURES)),
    )


def test_texts_with_a_token_are_counted_once_each() -> None:
    texts = ["Read more", "Read more", "More rain", "rain " * 20]
    assert count_tokens(texts, [False, True, True, True]) == {
        "read": (0, 1),
        "more": (1, 2),
        "read more": (0, 1),
        "rain": (1, 1),
        "more rain": (1, 1),
    }


def test_a_word_has_the_log_odds_of_content_with_a_prior() -> None:
    pages = [counted(n, {"share": (0, 3), "rain": (2, 2)}) for n in range(train_words.WORD_SITES)]
    # Half of all tokens are content: the mean is 0.5, and its log-odds are 0.
    share = train_words.WORD_PRIOR * 0.5 / (train_words.WORD_SITES + train_words.WORD_PRIOR)
    expected = round(log(share / (1 - share)), 1)
    assert train_words.content_scores(pages) == {"share": expected, "rain": -expected}


def test_many_pages_of_one_site_count_as_one_site() -> None:
    pages = [counted(n, {"share": (0, 3), "rain": (1, 1)}, site="one.example") for n in range(40)]
    assert train_words.content_scores(pages) == {}
    assert train_words.article_scores(pages) == {}


def test_words_of_articles_have_positive_article_scores() -> None:
    shops = [counted(n, {"cart": (0, 1)}, type="shop") for n in range(train_words.PAGE_SITES)]
    news = [counted(100 + n, {"rain": (1, 1)}) for n in range(train_words.PAGE_SITES)]
    half = train_words.PAGE_PRIOR / 2 / train_words.PAGE_SITES
    expected = round(log((1 + half) / half), 1)
    assert train_words.article_scores(shops + news) == {"cart": -expected, "rain": expected}
    assert train_words.article_scores(news) == {}  # no other pages


def test_scores_of_a_fold_are_learned_without_its_sites() -> None:
    sites = [f"{n}.example" for n in range(20 * FOLDS)]
    own = [site for site in sites if fold_of(site, FOLDS, 0) == 0]
    pages = [counted(n, {"secret": (1, 1)}, site=site) for n, site in enumerate(own)]
    pages += [counted(200 + n, {"rain": (1, 1)}, site=site) for n, site in enumerate(sites)]
    has_secret = [
        "secret" in one.token_scores.content for one in train_words.lexicons(pages, pages, [], 0)
    ]
    assert has_secret == [False, *[True] * (FOLDS - 1)]


@pytest.fixture
def pages() -> list[Example]:
    news = [bag(n, True, {"byline", "wrap"}, {"said"}) for n in range(20)]
    shops = [bag(100 + n, False, {"price", "wrap"}, {"buy"}) for n in range(20)]
    return news + shops


def test_weights_are_positive_for_tokens_of_articles(pages: list[Example]) -> None:
    names, terms = train_words.fit_bag_of_words(pages)
    assert list(names) == ["byline", "price", "wrap"]
    assert names["byline"] > 0.1 > abs(names["wrap"]) > -0.1 > names["price"]
    assert terms["said"] > 0 > terms["buy"]
    assert train_words.fit_bag_of_words(pages) == [names, terms]
    assert (
        train_words.fit_bag_of_words(pages[:20])
        == train_words.fit_bag_of_words(pages[20:])
        == [{}, {}]
    )


def test_a_token_of_few_sites_has_no_weight(pages: list[Example]) -> None:
    few = [bag(200 + n, True, {"rare"}, set()) for n in range(train_words.BAG_SITES - 1)]
    assert "rare" not in train_words.fit_bag_of_words(pages + few)[0]
    # Many pages of one site are one site.
    one = [bag(300 + n, True, {"own"}, set(), "one.example") for n in range(20)]
    assert "own" not in train_words.fit_bag_of_words(pages + one)[0]


def test_bag_features_are_learned_without_the_own_site(pages: list[Example]) -> None:
    own = [e for e in pages if e.fold(0) == 0]
    for e in own:
        e.bag_of_words = (e.bag_of_words[0] | {"secret"}, e.bag_of_words[1])
    train_words.fill_bag_features(pages, 0)
    weights = train_words.fit_bag_of_words([e for e in pages if e not in own])
    assert own
    for e in own:
        pairs = zip(e.bag_of_words, weights, strict=True)
        assert e.page[PLACES].tolist() == [
            bag_score([known[token] for token in bag if token in known]) for bag, known in pairs
        ]


STORY = "The river rose through the night, and by morning the lower road of the town was gone."


def river(number: int, domain: str = "example.org") -> LabelledPage:
    html = (
        f"<table><tr><td><div><a>Home</a></div><nav><a>Sport {number}</a></nav></table>"
        f"<div><section><p>{STORY}</p><p>{STORY}</p></section></div>"
    )
    return labelled(number, html, [STORY, STORY], domain)


RIVERS = [river(1), river(2, "example.com"), LabelledPage("3", "<p>No gold", "")]


def test_levels_are_counted_by_blocks_or_words() -> None:
    model = train(RIVERS)
    assert (model["kind"], model["version"], model["pages"]) == ("naive_bayes", 3, 2)
    # By the paper's tags, "Home" and "Sport 1" are two web blocks, of div and td.
    paper = model["tables"][Blocking("paper").key]
    assert paper["content"] == {
        "total": 2,
        "unlinked_chars": [0, 0, 0, 0, 0, 2],
        "link_ratio": [2, 0, 0, 0],
        "punctuation_ratio": [0, 0, 2],
        "paragraphs": [0, 2, 0],
    }
    assert paper["rest"] == {
        "total": 4,
        "unlinked_chars": [4, 0, 0, 0, 0, 0],
        "link_ratio": [0, 0, 0, 4],
        "punctuation_ratio": [4, 0, 0],
        "paragraphs": [4, 0, 0],
    }
    modern = model["tables"][Blocking("modern").key]
    assert modern["content"]["total"] == 2 * 2 * 17
    assert modern["rest"]["total"] == 2 * (1 + 2)


def test_each_division_is_counted_as_an_extractor_makes_it() -> None:
    hidden = "<select><option>Please turn it on, and come again.</option></select>"
    outer = f"<div><a>Menu</a><div><p>{STORY}</p></div>{hidden}</div><p>Loose end</p>"
    tables = train([LabelledPage("1", outer, STORY)])["tables"]
    assert set(tables) == {blocking.key for blocking in BLOCKINGS}

    def totals(blocking: Blocking) -> tuple[int, int]:
        classes = tables[blocking.key]
        return classes["content"]["total"], classes["rest"]["total"]

    assert totals(Blocking("modern")) == (17, 1 + 2)  # the menu, and the end in no block tag
    # The outer block has most of its words in the gold text; the end has no block.
    assert totals(Blocking("paper")) == (2, 0)
    assert totals(Blocking("modern", "table")) == (20, 0)


def test_the_same_pages_in_another_order_give_the_same_bytes() -> None:
    assert dump_model(train(RIVERS)) == dump_model(train(RIVERS[::-1]))


def test_a_trained_model_is_used_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(dump_model(train(RIVERS)))
    extractor = NaiveBayesExtractor(model=path)
    assert extractor.extract(parse(river(7).html)).text == f"{STORY}\n{STORY}"


def test_training_without_gold_text_is_refused() -> None:
    with pytest.raises(CorpusError, match="none of 1 pages has a gold text"):
        train(RIVERS[2:])
    with pytest.raises(CorpusError, match="none of 0 pages"):
        train([])
    with pytest.raises(CorpusError, match="no gold text appears on any of 1 pages"):
        train([LabelledPage("1", "<div>Home</div>", "Another text")])


RAIN = "It rained in the valley, and the river rose by a metre within the hour of noon. "
SHOP = "<ul class=goods><li>Kettle, 30 euros<li>Cup, 4 euros<li>Spoon, 2 euros</ul>"


def page(number: int, kind: str, words: str = RAIN) -> LabelledPage:
    story = words * (number % 5 + 2)
    shown, text = f"<p class=story>{story}</p>", story
    if kind == "collection":
        shown, text = SHOP, "Kettle, 30 euros"
    html = f"<title>Rain {number}</title><div>Home News</div><h1>Rain</h1>{shown}<div>Imprint</div>"
    return labelled(number, html, [text], f"site{number}.example", kind)


@pytest.fixture(scope="module")
def general(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = [page(n, "collection" if n % 3 else "article") for n in range(48)]
    return write_corpus(tmp_path_factory.mktemp("corpora") / "general.jsonl", pages)


def test_typed_pages_train_only_the_judge_and_runs_are_equal(general: Path, tmp_path: Path) -> None:
    news = write_corpus(
        tmp_path / "n.jsonl", [page(n, "article", "Sun. ") for n in range(100, 140)]
    )
    model, more = (
        training.train_fusion([general]),
        training.train_fusion([general], types_only=[news]),
    )
    changed = {part for part in model if model[part] != more[part]}
    assert "judge" in changed
    assert not changed & {"class_names", "first"}
    assert training.train_fusion([general]) == model
    with pytest.raises(CorpusError, match="there are 0"):
        training.train_fusion([], types_only=[general])


PARAMETERS = {"objective": "binary", "num_leaves": 8, "min_data_in_leaf": 20}
#: A forest, rows of its features, their scores by stage, and LightGBM's probabilities.
Fitted: TypeAlias = "tuple[Forest, list[list[float]], np.ndarray[Any, Any], np.ndarray[Any, Any]]"


@pytest.fixture(scope="module")
def fitted() -> Fitted:
    rows = np.random.default_rng(0).random((6000, 3))
    labels = (rows[:, 0] + rows[:, 1] > 1.1).astype(float)
    booster = training.fit(PARAMETERS, 100, 0, rows, labels, np.ones(len(rows)))
    forest = training.as_forest(booster, "abc")
    asked = rows[:, ["abc".index(name) for name in forest.features]].tolist()
    return forest, asked, training.stages(booster, rows), booster.predict(rows)


def test_converted_trees_give_the_probabilities_of_lightgbm(fitted: Fitted) -> None:
    forest, asked, _, expected = fitted
    found = np.array([forest.probabilities(row, 1)[0] for row in asked])
    assert np.mean(np.abs(found - expected) < 5e-3) > 0.99  # thresholds are rounded


def test_the_forest_gives_the_probabilities_expected_in_training(fitted: Fitted) -> None:
    forest, asked, scores, _ = fitted
    exits = training.fit_exits(scores)
    early = replace(forest, exits=exits)
    found = training.early_exit_probabilities(scores, exits)
    there = [early.probabilities(row, 1)[0] for row in asked]
    close = [a == pytest.approx(b, abs=0.01) for a, b in zip(found, there, strict=True)]
    assert sum(close) > 0.95 * len(close)  # rounded leaves put some on the other side of a bound


def test_early_exits_change_few_decisions(fitted: Fitted) -> None:
    _, _, scores, _ = fitted
    exits = training.fit_exits(scores)
    found = np.array(training.early_exit_probabilities(scores, exits))
    final = 1 / (1 + np.exp(-scores[:, -1]))
    assert exits[0].trees == training.STAGES[0]
    assert any(e.below > -training.NEVER for e in exits)
    early = np.zeros(len(scores), bool)
    for e in exits:
        score = scores[:, training.STAGES.index(e.trees)]
        early |= (score < e.below) | (score > e.above)
    assert early.mean() > 0.5
    for bound in (training.LOW, training.HIGH):
        assert ((found > logistic(bound)) != (final > logistic(bound))).mean() < 0.02
    assert found.mean() == pytest.approx(final.mean(), abs=0.01)  # neither inflated nor deflated


def test_too_few_rows_get_no_early_exit() -> None:
    scores = np.linspace(-5, 5, training.LEAST_ROWS)[:, None].repeat(
        len(training.STAGES) + 1, axis=1
    )
    exits = training.fit_exits(scores)
    assert {(e.below, e.above) for e in exits} == {(-training.NEVER, training.NEVER)}
    assert training.fit_exits(scores[:0]) == exits
