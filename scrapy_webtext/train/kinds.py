"""Learns what kind of page a page is, from features of the page as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scrapy_webtext.extractors.fusion.pages import PAGE_FEATURES, WORD_FEATURES
from scrapy_webtext.extractors.fusion.urls import URL_FEATURES
from scrapy_webtext.extractors.fusion.wording import KINDS, kind_scores
from scrapy_webtext.train.examples import FOLDS, Example, fold_of, numpy
from scrapy_webtext.train.lexicon import Lexicon
from scrapy_webtext.train.trees import fit

KIND_PARAMETERS: Final[Mapping[str, Any]] = {
    "objective": "multiclass",
    "num_class": len(KINDS),
    "num_leaves": 7,
    "learning_rate": 0.08,
    "min_data_in_leaf": 8,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 3.0,
}
KIND_ROUNDS: Final = 80
#: Weight of a page that is an article: there are more of them.
ARTICLE_WEIGHT: Final = 0.6
#: Of the columns that words out of fold fill.
_WORD_PLACES: Final = tuple(PAGE_FEATURES.index(name) for name in WORD_FEATURES)
#: Of the columns that a page without an address gives otherwise.
_URL_PLACES: Final = tuple(PAGE_FEATURES.index(name) for name in URL_FEATURES)


def hear_kinds(examples: Sequence[Example], found: Sequence[Lexicon], seed: int) -> None:
    """Fill in what the words of the examples say of their kinds, scored out of fold."""
    for e in examples:
        wording = found[fold_of(e.domain, FOLDS, seed)].wording
        e.page[list(_WORD_PLACES)] = kind_scores(e.tokens, wording.kinds)


def kind_rows(examples: Sequence[Example]) -> tuple[Any, Any, Any]:
    """Return features, kinds and weights of pages, each with and without its address."""
    np = numpy()
    pages = np.array([e.page for e in examples])
    rows = np.concatenate([pages, without_url_rows(pages)])
    kinds = np.array([e.kind for e in examples] * 2)
    return rows, kinds, np.where(kinds == 0, ARTICLE_WEIGHT, 1.0)


def without_url_rows(pages: Any) -> Any:
    """Return rows of page features as they were without an address."""
    rows = pages.copy()
    rows[:, _URL_PLACES] = -1
    return rows


def fit_kinds(examples: Sequence[Example], seed: int) -> Any:
    """Return the model of kinds."""
    return fit(KIND_PARAMETERS, KIND_ROUNDS, seed, *kind_rows(examples))


def kinds_out_of_fold(examples: Sequence[Example], seed: int) -> Any:
    """Return per example the kinds with and without its address, an array (n, 2, kinds)."""
    np = numpy()
    fold = [fold_of(e.domain, FOLDS, seed) for e in examples]
    found = np.zeros((len(examples), 2, len(KINDS)))
    for k in range(FOLDS):
        model = fit_kinds([e for e, f in zip(examples, fold, strict=True) if f != k], seed)
        places = [i for i, f in enumerate(fold) if f == k]
        if places:
            pages = np.array([examples[i].page for i in places])
            found[places, 0] = model.predict(pages)
            found[places, 1] = model.predict(without_url_rows(pages))
    return found
