"""Trains ``fusion``: scores of names, kinds of page, blocks. One seed, one result.

Every stage that feeds another is fitted out of fold, by registered domain: a page never sees
scores of names, or a kind, that its own site helped to learn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Final

from scrapy_webtext.corpus.alignment import tokens
from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.fusion.boosting import Exit, logistic, write_exits, write_forest
from scrapy_webtext.extractors.fusion.bystanders import without_bystanders
from scrapy_webtext.extractors.fusion.calibration import fit_calibration
from scrapy_webtext.extractors.fusion.features import BLOCK_FEATURES, read
from scrapy_webtext.extractors.fusion.model import (
    KIND,
    KIND_FEATURES,
    VERSION,
    PageReading,
    forest_name,
)
from scrapy_webtext.extractors.fusion.pages import PAGE_FEATURES, WORD_FEATURES
from scrapy_webtext.extractors.fusion.selection import choose, expected_f1
from scrapy_webtext.extractors.fusion.stretches import STRETCH_FEATURES, stretch_rows, stretches
from scrapy_webtext.extractors.fusion.urls import URL_FEATURES
from scrapy_webtext.extractors.fusion.wording import KINDS, kind_scores, write_wording
from scrapy_webtext.train.examples import (
    FOLDS,
    Example,
    Wanted,
    block_matrix,
    corpus_name,
    every_page,
    example,
    fold_of,
    labelled_pages,
    numpy,
)
from scrapy_webtext.train.exits import (
    ARTICLES,
    OTHERS,
    STAGES,
    Policy,
    fit_exits,
    settled,
    stages,
)
from scrapy_webtext.train.lexicon import Lexicon, fit_names, fit_wording, lexicons
from scrapy_webtext.train.trees import as_forest, fit

#: Fewer labelled pages than this leave folds with nothing to learn from.
LEAST_PAGES: Final = 20
#: Share of pages whose kind is given to the blocks as if their address were unknown.
NO_URL_SHARE: Final = 0.35

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
BLOCK_PARAMETERS: Final[Mapping[str, Any]] = {
    "objective": "binary",
    "num_leaves": 31,
    "max_depth": 12,
    "learning_rate": 0.08,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_bin": 63,
}
BLOCK_ROUNDS: Final = 150
#: Weight of pages that are no articles, by forest.
OTHERS_WEIGHT: Final[Mapping[str, float]] = {"articles": 1.0, "others": 3.0}
EXITS: Final[Mapping[str, Policy]] = {"articles": ARTICLES, "others": OTHERS}
#: Of the blocks that menus, footers and links give away, this share is learned from, unless
#: there are fewer pages than this.
EASY_SHARE: Final = 0.25
MANY_PAGES: Final = 500
EASY_DENSITY: Final = 0.9
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
CALIBRATION_BINS: Final = 12
#: What blocks are told of their page, besides the probability of each kind.
BLOCK_CONTEXT: Final = tuple(
    """
    page_density page_prose_ratio page_alike page_p_share page_main_density page_main_prose
    page_blocks page_plain page_prose page_p page_headings page_entry_prose page_articles
    """.split()
)
BLOCK_COLUMNS: Final = (*BLOCK_FEATURES, *BLOCK_CONTEXT, *KIND_FEATURES)
_CONTEXT_PLACES: Final = tuple(PAGE_FEATURES.index(name) for name in BLOCK_CONTEXT)
#: Of the columns that words out of fold fill.
_WORD_PLACES: Final = tuple(PAGE_FEATURES.index(name) for name in WORD_FEATURES)
#: Of the columns that a page without an address gives otherwise.
_URL_PLACES: Final = tuple(PAGE_FEATURES.index(name) for name in URL_FEATURES)


def train_fusion(
    paths: Sequence[str | PathLike[str]],
    *,
    kinds_only: Sequence[str | PathLike[str]] = (),
    seed: int = 0,
    wanted: Wanted = every_page,
) -> dict[str, Any]:
    """Return the content of a model file, trained on the wanted pages of these corpora.

    Pages without gold text, and those of ``kinds_only``, teach the kinds of page alone.
    CorpusError for fewer than `LEAST_PAGES` labelled pages, MissingExtraError without LightGBM.
    """
    return fit_fusion(read_examples([*paths, *kinds_only], wanted), paths, seed)


def read_examples(
    paths: Sequence[str | PathLike[str]], wanted: Wanted = every_page
) -> list[Example]:
    """Return the wanted pages of corpora as examples, those without text left out."""
    rows = (example(*row) for row in labelled_pages(paths, wanted))
    return [e for e in rows if e is not None]


def fit_fusion(
    examples: Sequence[Example], paths: Sequence[str | PathLike[str]], seed: int
) -> dict[str, Any]:
    """Return the content of a model file, trained on these examples.

    ``paths`` are the corpora that teach more than the kinds of page; their pages are read again
    for every stage.
    """
    names = {corpus_name(path) for path in paths}
    labelled = [e for e in examples if e.labels and e.corpus in names]
    if len(labelled) < LEAST_PAGES:
        raise CorpusError(
            f"fusion needs {LEAST_PAGES} labelled pages with text to learn from, there are "
            f"{len(labelled)}; naive_bayes does with fewer"
        )
    part_few_sites(examples)
    found = lexicons(labelled, examples, seed)
    hear_kinds(examples, found, seed)
    kinds = kinds_out_of_fold(examples, seed)
    for e, kind in zip(examples, kinds, strict=True):
        e.kinds = kind
    read_blocks(paths, labelled, found, seed)
    blocks_out_of_fold(labelled, seed)
    exits = settle(labelled)
    stretches, scores = fit_stretches(paths, labelled, found, seed)
    final = fit_kinds(examples, seed)
    are_articles = [float(e.kind == 0) for e in examples for _ in range(2)]
    return {
        "kind": KIND,
        "version": VERSION,
        "seed": seed,
        "names": fit_names(labelled),
        "words": write_wording(fit_wording(labelled, examples)),
        "kinds": {
            kind: write_forest(as_forest(final, PAGE_FEATURES, place, len(KINDS)))
            for place, kind in enumerate(KINDS)
        },
        "blocks": {
            name: write_forest(as_forest(booster, BLOCK_COLUMNS))
            for name, booster in fit_blocks(labelled, seed).items()
        },
        "exits": {name: write_exits(those) for name, those in exits.items()},
        "stretches": write_forest(as_forest(stretches, STRETCH_FEATURES)),
        "article": write_calibration(kinds[:, :, 0].ravel().tolist(), are_articles),
        "score": write_calibration(*scores),
    }


def part_few_sites(examples: Sequence[Example]) -> None:
    """Let each page be its own site where there are fewer sites than folds.

    Whoever trains on one site wants a model for that site: what it has in common may be learned.
    """
    if len({e.domain for e in examples}) < FOLDS:
        for e in examples:
            e.domain = f"{e.domain}/{e.id}"


def write_calibration(raw: Sequence[float], observed: Sequence[float]) -> dict[str, Any]:
    """Return the section of a model file for the map from raw scores to what was observed."""
    fitted = fit_calibration(raw, observed, CALIBRATION_BINS)
    return {"raw": list(fitted.raw), "observed": list(fitted.observed)}


def hear_kinds(examples: Sequence[Example], found: Sequence[Lexicon], seed: int) -> None:
    """Fill in what the words of the examples say of their kinds, scored out of fold."""
    for e in examples:
        wording = found[fold_of(e.domain, FOLDS, seed)].wording
        e.page[list(_WORD_PLACES)] = kind_scores(e.tokens, wording.kinds)


def read_blocks(
    paths: Sequence[str | PathLike[str]],
    labelled: Sequence[Example],
    found: Sequence[Lexicon],
    seed: int,
) -> None:
    """Fill in the block features of the examples, with names and words scored out of fold."""
    wanted = {(e.corpus, e.id): e for e in labelled}
    for corpus, page, parsed in labelled_pages(paths):
        e = wanted.get((corpus, page.id))
        if e is not None:
            e.blocks = block_matrix(parsed, *found[fold_of(e.domain, FOLDS, seed)])


def kind_rows(examples: Sequence[Example]) -> tuple[Any, Any, Any]:
    """Return features, kinds and weights of pages, each with and without its address."""
    np = numpy()
    pages = np.array([e.page for e in examples])
    rows = np.concatenate([pages, without_url_rows(pages)])
    kinds = np.array([e.kind for e in examples] * 2)
    return rows, kinds, np.where(kinds == 0, 0.6, 1.0)


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


def fit_blocks(examples: Sequence[Example], seed: int) -> dict[str, Any]:
    """Return the models of blocks, by forest."""
    np = numpy()
    rows, labels, weights, is_other = block_rows(examples, seed)
    return {
        name: fit(
            BLOCK_PARAMETERS,
            BLOCK_ROUNDS,
            seed,
            rows,
            labels,
            weights * np.where(is_other, more, 1.0),
        )
        for name, more in OTHERS_WEIGHT.items()
    }


def blocks_out_of_fold(examples: Sequence[Example], seed: int) -> None:
    """Fill in the scores and probabilities of the blocks, from models of the other folds."""
    for k in range(FOLDS):
        own = [e for e in examples if fold_of(e.domain, FOLDS, seed) == k]
        models = fit_blocks([e for e in examples if fold_of(e.domain, FOLDS, seed) != k], seed)
        for e in own:
            e.scores = stages(models[forest_name(e.kinds[0])], block_columns(e, e.kinds[0]))
            e.probabilities = [logistic(score) for score in e.scores[:, -1].tolist()]


def settle(examples: Sequence[Example]) -> dict[str, tuple[Exit, ...]]:
    """Return the exits for articles and for other pages, and fill in what they give."""
    np = numpy()
    exits = {}
    for name, policy in EXITS.items():
        group = [e for e in examples if forest_name(e.kinds[0]) == name]
        scores = [e.scores for e in group] or [np.zeros((0, len(STAGES) + 1), "float32")]
        exits[name] = fit_exits(np.concatenate(scores), policy)
        for e in group:
            e.settled = settled(e.scores, exits[name])
    return exits


def block_rows(examples: Sequence[Example], seed: int) -> tuple[Any, Any, Any, Any]:
    """Return of the blocks of the examples, some easy ones left out: features, labels, weights.

    A block weighs the square root of its words, divided by the square root of the sum over its
    page, so that a long page weighs more than a short one, though less than in proportion. The
    fourth array says of which blocks the page is no article.
    """
    np = numpy()
    random = np.random.default_rng(seed)
    share = EASY_SHARE if len(examples) >= MANY_PAGES else 1.0
    rows, labels, weights, is_other = [], [], [], []
    for e in examples:
        is_blind = int(random.random() < NO_URL_SHARE)
        label = np.array(e.labels, dtype="float32")
        easy = _is_easy(e) & (label == 0)
        kept = ~easy | (random.random(len(label)) < share)
        weight = np.sqrt(np.minimum(e.words, 400) + 3.0)
        weight = weight / np.sqrt(weight.sum()) / np.where(easy, share, 1.0)
        rows.append(block_columns(e, e.kinds[is_blind])[kept])
        labels.append(label[kept])
        weights.append(weight[kept])
        is_other.append(np.full(kept.sum(), e.kind != 0))
    return tuple(map(np.concatenate, (rows, labels, weights, is_other)))


def _is_easy(e: Example) -> Any:
    """Return a mask over blocks: in a menu or footer, or nearly all link."""
    nav, footer, density = (
        e.blocks[:, BLOCK_FEATURES.index(name)] for name in ("in_nav", "in_footer", "density")
    )
    return (nav > 0) | (footer > 0) | (density > EASY_DENSITY)


def block_columns(e: Example, kind: Any) -> Any:
    """Return the rows of one page's blocks: their features, the page's, its kinds."""
    np = numpy()
    constant = np.concatenate([e.page[list(_CONTEXT_PLACES)], kind]).astype("float32")
    return np.hstack([e.blocks, np.repeat(constant[None], len(e.blocks), 0)])


def fit_stretches(
    paths: Sequence[str | PathLike[str]],
    labelled: Sequence[Example],
    found: Sequence[Lexicon],
    seed: int,
) -> tuple[Any, tuple[list[float], list[float]]]:
    """Return the model of stretches, and per page the expected and the true F1 of its blocks.

    Stretches are those that probabilities out of fold give; one is content if half its words are.
    """
    np = numpy()
    wanted = {(e.corpus, e.id): e for e in labelled}
    rows, labels, weights = [], [], []
    expected, true = [], []
    for corpus, labelled_page, page in labelled_pages(paths):
        e = wanted.get((corpus, labelled_page.id))
        if e is None:
            continue
        reading = read(page, *found[fold_of(e.domain, FOLDS, seed)])
        seen = PageReading(reading, tuple(e.kinds[0].tolist()), e.probabilities)
        likely = without_bystanders(page, reading, seen.kinds, e.settled)
        taken = choose(page, replace(seen, probabilities=likely))
        expected.append(expected_f1(likely, reading.texts.words, taken))
        true.append(word_f1([reading.texts.text[k] for k in taken], labelled_page.text))
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
    model = fit(
        STRETCH_PARAMETERS,
        STRETCH_ROUNDS,
        seed,
        np.array(rows),
        np.array(labels),
        np.array(weights),
    )
    return model, (expected, true)


def word_f1(texts: Sequence[str], gold: str) -> float:
    """Return the F1 of the multisets of words, in [0, 1]."""
    found, wanted = Counter(tokens("\n".join(texts))), Counter(tokens(gold))
    shared = (found & wanted).total()
    return 2 * shared / (found.total() + wanted.total()) if shared else 0.0
