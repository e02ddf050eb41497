"""Examples, words and forests learn what they should from labelled pages."""

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
from scrapy_webtext.lab.corpus import LabelledPage
from tests.lab import labelled, write_corpus
from tests.training.pages import training_example
from training import exits, fusion, words
from training.examples import (
    FOLDS,
    MOST_WEIGHT,
    Example,
    TokenCounts,
    balanced_weights,
    count_tokens,
    fold_of,
    made_kinds,
)
from training.made_pages import ARTICLE_SHARES, LEAST_OTHERS


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
    assert {kind for (_, kind) in kinds} <= {"without", "category", "posts", *ARTICLE_SHARES}


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
    texts = ["Read more", "Read more", "More rain", "rain " * 30]
    assert count_tokens(texts, [False, True, True, True]) == {
        "read": (0, 1),
        "more": (1, 2),
        "read more": (0, 1),
        "rain": (1, 1),
        "more rain": (1, 1),
    }


def test_a_word_has_the_log_odds_of_content_with_a_prior() -> None:
    pages = [counted(n, {"share": (0, 3), "rain": (2, 2)}) for n in range(words.WORD_SITES)]
    # Half of all tokens are content: the mean is 0.5, and its log-odds are 0.
    share = words.WORD_PRIOR * 0.5 / (words.WORD_SITES + words.WORD_PRIOR)
    expected = round(log(share / (1 - share)), 1)
    assert words.content_scores(pages) == {"share": expected, "rain": -expected}


def test_many_pages_of_one_site_count_as_one_site() -> None:
    pages = [counted(n, {"share": (0, 3), "rain": (1, 1)}, site="one.example") for n in range(40)]
    assert words.content_scores(pages) == {}
    assert words.article_scores(pages) == {}


def test_words_of_articles_have_positive_article_scores() -> None:
    shops = [counted(n, {"cart": (0, 1)}, type="shop") for n in range(words.PAGE_SITES)]
    news = [counted(100 + n, {"rain": (1, 1)}) for n in range(words.PAGE_SITES)]
    half = words.PAGE_PRIOR / 2 / words.PAGE_SITES
    expected = round(log((1 + half) / half), 1)
    assert words.article_scores(shops + news) == {"cart": -expected, "rain": expected}
    assert words.article_scores(news) == {}  # no other pages


def test_scores_of_a_fold_are_learned_without_its_sites() -> None:
    sites = [f"{n}.example" for n in range(20 * FOLDS)]
    own = [site for site in sites if fold_of(site, FOLDS, 0) == 0]
    pages = [counted(n, {"secret": (1, 1)}, site=site) for n, site in enumerate(own)]
    pages += [counted(200 + n, {"rain": (1, 1)}, site=site) for n, site in enumerate(sites)]
    has_secret = [
        "secret" in one.token_scores.content for one in words.lexicons(pages, pages, [], 0)
    ]
    assert has_secret == [False, *[True] * (FOLDS - 1)]


@pytest.fixture
def pages() -> list[Example]:
    news = [bag(n, True, {"byline", "wrap"}, {"said"}) for n in range(20)]
    shops = [bag(100 + n, False, {"price", "wrap"}, {"buy"}) for n in range(20)]
    return news + shops


def test_weights_are_positive_for_tokens_of_articles(pages: list[Example]) -> None:
    names, terms = words.fit_bag_of_words(pages)
    assert list(names) == ["byline", "price", "wrap"]
    assert names["byline"] > 0.1 > abs(names["wrap"]) > -0.1 > names["price"]
    assert terms["said"] > 0 > terms["buy"]
    assert words.fit_bag_of_words(pages) == [names, terms]
    assert words.fit_bag_of_words(pages[:20]) == words.fit_bag_of_words(pages[20:]) == [{}, {}]


def test_a_token_of_few_sites_has_no_weight(pages: list[Example]) -> None:
    few = [bag(200 + n, True, {"rare"}, set()) for n in range(words.BAG_SITES - 1)]
    assert "rare" not in words.fit_bag_of_words(pages + few)[0]
    # Many pages of one site are one site.
    one = [bag(300 + n, True, {"own"}, set(), "one.example") for n in range(20)]
    assert "own" not in words.fit_bag_of_words(pages + one)[0]


def test_bag_features_are_learned_without_the_own_site(pages: list[Example]) -> None:
    own = [e for e in pages if e.fold(0) == 0]
    for e in own:
        e.bag_of_words = (e.bag_of_words[0] | {"secret"}, e.bag_of_words[1])
    words.fill_bag_features(pages, 0)
    weights = words.fit_bag_of_words([e for e in pages if e not in own])
    assert own
    for e in own:
        pairs = zip(e.bag_of_words, weights, strict=True)
        assert e.page[PLACES].tolist() == [
            bag_score([known[token] for token in bag if token in known]) for bag, known in pairs
        ]


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
        fusion.train_fusion([general]),
        fusion.train_fusion([general], types_only=[news]),
    )
    changed = {part for part in model if model[part] != more[part]}
    assert "judge" in changed
    assert not changed & {"class_names", "first"}
    assert fusion.train_fusion([general]) == model
    with pytest.raises(CorpusError, match="there are 0"):
        fusion.train_fusion([], types_only=[general])


PARAMETERS = {"objective": "binary", "num_leaves": 8, "min_data_in_leaf": 20}
#: A forest, rows of its features, their scores by stage, and LightGBM's probabilities.
Fitted: TypeAlias = "tuple[Forest, list[list[float]], np.ndarray[Any, Any], np.ndarray[Any, Any]]"


@pytest.fixture(scope="module")
def fitted() -> Fitted:
    rows = np.random.default_rng(0).random((6000, 3))
    labels = (rows[:, 0] + rows[:, 1] > 1.1).astype(float)
    booster = fusion.fit(PARAMETERS, 100, 0, rows, labels, np.ones(len(rows)))
    forest = fusion.as_forest(booster, "abc")
    asked = rows[:, ["abc".index(name) for name in forest.features]].tolist()
    return forest, asked, exits.stages(booster, rows), booster.predict(rows)


def test_converted_trees_give_the_probabilities_of_lightgbm(fitted: Fitted) -> None:
    forest, asked, _, expected = fitted
    found = np.array([forest.probabilities(row, 1)[0] for row in asked])
    assert np.mean(np.abs(found - expected) < 5e-3) > 0.99  # thresholds are rounded


def test_the_forest_gives_the_probabilities_expected_in_training(fitted: Fitted) -> None:
    forest, asked, scores, _ = fitted
    of_pass = exits.fit_exits(scores)
    early = replace(forest, exits=of_pass)
    found = exits.early_exit_probabilities(scores, of_pass)
    there = [early.probabilities(row, 1)[0] for row in asked]
    close = [a == pytest.approx(b, abs=0.01) for a, b in zip(found, there, strict=True)]
    assert sum(close) > 0.95 * len(close)  # rounded leaves put some on the other side of a bound


def test_early_exits_change_few_decisions(fitted: Fitted) -> None:
    _, _, scores, _ = fitted
    of_pass = exits.fit_exits(scores)
    found = np.array(exits.early_exit_probabilities(scores, of_pass))
    final = 1 / (1 + np.exp(-scores[:, -1]))
    assert of_pass[0].trees == exits.STAGES[0]
    assert any(e.below > -exits.NEVER for e in of_pass)
    early = np.zeros(len(scores), bool)
    for e in of_pass:
        score = scores[:, exits.STAGES.index(e.trees)]
        early |= (score < e.below) | (score > e.above)
    assert early.mean() > 0.5
    for bound in (exits.LOW, exits.HIGH):
        assert ((found > logistic(bound)) != (final > logistic(bound))).mean() < 0.02
    assert found.mean() == pytest.approx(final.mean(), abs=0.01)  # neither inflated nor deflated


def test_too_few_rows_get_no_early_exit() -> None:
    scores = np.linspace(-5, 5, exits.LEAST_ROWS)[:, None].repeat(len(exits.STAGES) + 1, axis=1)
    of_pass = exits.fit_exits(scores)
    assert {(e.below, e.above) for e in of_pass} == {(-exits.NEVER, exits.NEVER)}
    assert exits.fit_exits(scores[:0]) == of_pass


def test_rows_that_share_the_extreme_score_get_no_early_exit() -> None:
    scores = np.full((2 * exits.LEAST_ROWS, len(exits.STAGES) + 1), 2.0)
    scores[:, -1] = exits.HIGH
    assert {(e.below, e.above) for e in exits.fit_exits(scores)} == {(-exits.NEVER, exits.NEVER)}
