"""Learns to judge stretches of chosen blocks, and how far the expected F1 can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scrapy_webtext.corpus.alignment import tokens
from scrapy_webtext.extractors.fusion.bystanders import without_bystanders
from scrapy_webtext.extractors.fusion.model import PageReading
from scrapy_webtext.extractors.fusion.selection import choose, expected_f1
from scrapy_webtext.extractors.fusion.stretches import stretch_rows, stretches
from scrapy_webtext.train.examples import numpy
from scrapy_webtext.train.lexicon import Reread
from scrapy_webtext.train.trees import fit

STRETCH_PARAMETERS: Final[Mapping[str, Any]] = {
    "objective": "binary",
    "num_leaves": 10,
    "learning_rate": 0.05,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
}
STRETCH_ROUNDS: Final = 150


def fit_stretches(
    pages: Iterable[Reread], seed: int
) -> tuple[Any, tuple[list[float], list[float]]]:
    """Return the model of stretches, and per page the expected and the true F1 of its blocks.

    ``pages`` are those of labelled examples. Stretches are those that probabilities out of fold
    give; one is content if half its words are.
    """
    np = numpy()
    rows, labels, weights = [], [], []
    expected, true = [], []
    for e, labelled, page, reading in pages:
        seen = PageReading(reading, e.features, tuple(e.kinds_without_url), e.probabilities)
        likely = without_bystanders(page, reading, seen.kinds, e.settled)
        taken = choose(page, replace(seen, probabilities=likely))
        expected.append(expected_f1(likely, reading.texts.words, taken))
        true.append(word_f1([reading.texts.text[k] for k in taken], labelled.text))
        chosen = choose(page, seen)
        cut = stretches(chosen, reading)
        if cut:
            kinds = (seen.kinds[0], seen.kinds[1])
            rows += stretch_rows(page, reading, e.probabilities, kinds, cut)
            words = [sum(e.words[k] for k in chosen if a <= k < z) for a, z in cut]
            good = [sum(e.words[k] for k in chosen if a <= k < z and e.labels[k]) for a, z in cut]
            labels += [2 * g >= n for g, n in zip(good, words, strict=True)]
            weight = np.sqrt(np.array(words) + 3.0)
            weights += (weight / np.sqrt(weight @ weight)).tolist()
    table = map(np.array, (rows, labels, weights))
    return fit(STRETCH_PARAMETERS, STRETCH_ROUNDS, seed, *table), (expected, true)


def word_f1(texts: Sequence[str], gold: str) -> float:
    """Return the F1 of the multisets of words, in [0, 1]."""
    found, wanted = Counter(tokens("\n".join(texts))), Counter(tokens(gold))
    shared = (found & wanted).total()
    return 2 * shared / (found.total() + wanted.total()) if shared else 0.0
