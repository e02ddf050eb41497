"""Corpora train the right parts; forests give what LightGBM gives, early exits hardly change it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.fusion.model import Forest, logistic
from scrapy_webtext.lab import train_fusion as training
from scrapy_webtext.lab.corpus import LabelledPage
from tests.lab import labelled, write_corpus

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
    found = np.array([forest.probability(row) for row in asked])
    assert np.mean(np.abs(found - expected) < 5e-3) > 0.99  # thresholds are rounded


def test_the_forest_gives_the_probabilities_expected_in_training(fitted: Fitted) -> None:
    forest, asked, scores, _ = fitted
    exits = training.fit_exits(scores)
    early = replace(forest, exits=exits)
    found = training.early_exit_probabilities(scores, exits)
    there = [early.probability(row) for row in asked]
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
