"""Trains ``fusion``: scores of names, kinds of page, blocks. One seed, one result.

Every stage that feeds another is fitted out of fold, by registered domain: a page never sees
scores of names, or a kind, that its own site helped to learn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import log
from os import PathLike
from typing import Any, Final

from scrapy_webtext.corpus.alignment import tokens
from scrapy_webtext.errors import CorpusError, MissingExtraError
from scrapy_webtext.extractors.fusion.boosting import Exit, Forest, Tree, write_forest
from scrapy_webtext.extractors.fusion.calibration import fit_calibration
from scrapy_webtext.extractors.fusion.features import BLOCK_FEATURES, read
from scrapy_webtext.extractors.fusion.model import KIND, KIND_FEATURES, VERSION, PageReading
from scrapy_webtext.extractors.fusion.names import name_scorer
from scrapy_webtext.extractors.fusion.pages import KINDS, PAGE_FEATURES
from scrapy_webtext.extractors.fusion.reading import NameScore
from scrapy_webtext.extractors.fusion.selection import choose, expected_f1
from scrapy_webtext.extractors.fusion.stretches import STRETCH_FEATURES, stretch_rows, stretches
from scrapy_webtext.extractors.fusion.urls import URL_FEATURES
from scrapy_webtext.train.examples import (
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

FOLDS: Final = 5
#: Fewer labelled pages than this leave folds with nothing to learn from.
LEAST_PAGES: Final = 20
#: A token needs this many sites; until then its score is drawn towards 0 by as many more.
NAME_SITES: Final = 4
NAME_PRIOR: Final = 2.0
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
    "max_bin": 127,
}
BLOCK_ROUNDS: Final = 150
#: A third of the trees decides the mean block; the mean F1 of no corpus falls by 0.001.
BLOCK_EXITS: Final = (
    Exit(12, -1.45, 9.0),
    Exit(20, -1.8, 9.0),
    Exit(30, -2.0, 2.2),
    Exit(50, -2.2, 2.4),
    Exit(80, -2.4, 2.7),
)
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
    rows = labelled_pages([*paths, *kinds_only], wanted)
    examples = [e for e in (example(*row) for row in rows) if e is not None]
    names = {corpus_name(path) for path in paths}
    labelled = [e for e in examples if e.labels and e.corpus in names]
    if len(labelled) < LEAST_PAGES:
        raise CorpusError(
            f"fusion needs {LEAST_PAGES} labelled pages with text to learn from, there are "
            f"{len(labelled)}; naive_bayes does with fewer"
        )
    part_few_sites(examples)
    kinds = kinds_out_of_fold(examples, seed)
    for e, kind in zip(examples, kinds, strict=True):
        e.kinds = kind
    read_blocks(paths, labelled, seed)
    blocks = fit_blocks(labelled, seed)
    blocks_out_of_fold(labelled, seed)
    stretches, scores = fit_stretches(paths, labelled, seed)
    final = fit_kinds(examples, seed)
    is_article = [float(e.kind == 0) for e in examples for _ in range(2)]
    return {
        "kind": KIND,
        "version": VERSION,
        "seed": seed,
        "names": fit_names(labelled),
        "kinds": {
            kind: write_forest(as_forest(final, PAGE_FEATURES, place, len(KINDS)))
            for place, kind in enumerate(KINDS)
        },
        "blocks": write_forest(replace(as_forest(blocks, BLOCK_COLUMNS), exits=BLOCK_EXITS)),
        "stretches": write_forest(as_forest(stretches, STRETCH_FEATURES)),
        "article": write_calibration(kinds[:, :, 0].ravel().tolist(), is_article),
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


def fit_names(examples: Iterable[Example]) -> dict[str, float]:
    """Return the score per token: log-odds of content below it, less those of any text.

    Each site counts once per token, with the share of content below it on all its pages, so that
    a site with many pages says no more than one with few.
    """
    sites: dict[str, dict[str, list[float]]] = defaultdict(dict)
    content = total = 0
    for e in examples:
        content += sum(n for n, label in zip(e.words, e.labels, strict=True) if label)
        total += sum(e.words)
        for token, (good, words) in e.names.items():
            row = sites[token].setdefault(e.domain, [0.0, 0.0])
            row[0] += good
            row[1] += words
    base = min(max(content / (total or 1), 0.01), 0.99)
    scores = {}
    for token, rows in sorted(sites.items()):
        shares = [good / words for good, words in rows.values() if words]
        if len(shares) >= NAME_SITES:
            share = (sum(shares) + NAME_PRIOR * base) / (len(shares) + NAME_PRIOR)
            share = min(max(share, 0.005), 0.995)
            score = round(log(share / (1 - share)) - log(base / (1 - base)), 2)
            if abs(score) > 0.2:
                scores[token] = score
    return scores


def read_blocks(
    paths: Sequence[str | PathLike[str]], labelled: Sequence[Example], seed: int
) -> None:
    """Fill in the block features of the examples, with names scored out of fold."""
    wanted = {(e.corpus, e.id): e for e in labelled}
    scorers = name_scorers(labelled, seed)
    for corpus, page, parsed in labelled_pages(paths):
        e = wanted.get((corpus, page.id))
        if e is not None:
            e.blocks = block_matrix(parsed, scorers[fold_of(e.domain, FOLDS, seed)])


def name_scorers(labelled: Sequence[Example], seed: int) -> list[NameScore]:
    """Return per fold the scores of names that the other folds taught."""
    return [
        name_scorer(fit_names(e for e in labelled if fold_of(e.domain, FOLDS, seed) != k))
        for k in range(FOLDS)
    ]


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


def fit_blocks(examples: Sequence[Example], seed: int) -> Any:
    """Return the model of blocks."""
    return fit(BLOCK_PARAMETERS, BLOCK_ROUNDS, seed, *block_rows(examples, seed))


def blocks_out_of_fold(examples: Sequence[Example], seed: int) -> None:
    """Fill in the probabilities of the examples' blocks, from models of the other folds."""
    for k in range(FOLDS):
        own = [e for e in examples if fold_of(e.domain, FOLDS, seed) == k]
        model = fit_blocks([e for e in examples if fold_of(e.domain, FOLDS, seed) != k], seed)
        for e in own:
            e.probabilities = model.predict(block_columns(e, e.kinds[0])).tolist()


def block_rows(examples: Sequence[Example], seed: int) -> tuple[Any, Any, Any]:
    """Return features, labels and weights of all blocks of the examples.

    A block weighs the square root of its words, divided by the square root of the sum over its
    page, so that a long page weighs more than a short one, though less than in proportion.
    """
    np = numpy()
    random = np.random.default_rng(seed)
    rows, labels, weights = [], [], []
    for e in examples:
        is_blind = int(random.random() < NO_URL_SHARE)
        rows.append(block_columns(e, e.kinds[is_blind]))
        labels.append(np.array(e.labels, dtype="float32"))
        weight = np.sqrt(np.minimum(e.words, 400) + 3.0)
        weights.append(weight / np.sqrt(weight.sum()))
    return np.concatenate(rows), np.concatenate(labels), np.concatenate(weights)


def block_columns(e: Example, kind: Any) -> Any:
    """Return the rows of one page's blocks: their features, the page's, its kinds."""
    np = numpy()
    constant = np.concatenate([e.page[list(_CONTEXT_PLACES)], kind]).astype("float32")
    return np.hstack([e.blocks, np.repeat(constant[None], len(e.blocks), 0)])


def fit_stretches(
    paths: Sequence[str | PathLike[str]], labelled: Sequence[Example], seed: int
) -> tuple[Any, tuple[list[float], list[float]]]:
    """Return the model of stretches, and per page the expected and the true F1 of its blocks.

    Stretches are those that probabilities out of fold give; one is content if half its words are.
    """
    np = numpy()
    wanted = {(e.corpus, e.id): e for e in labelled}
    scorers = name_scorers(labelled, seed)
    rows, labels, weights = [], [], []
    expected, true = [], []
    for corpus, labelled_page, page in labelled_pages(paths):
        e = wanted.get((corpus, labelled_page.id))
        if e is None:
            continue
        reading = read(page, scorers[fold_of(e.domain, FOLDS, seed)])
        seen = PageReading(reading, tuple(e.kinds[0].tolist()), e.probabilities)
        chosen = choose(page, seen)
        expected.append(expected_f1(e.probabilities, reading.texts.words, chosen))
        true.append(word_f1([reading.texts.text[k] for k in chosen], labelled_page.text))
        found = stretches(chosen, reading)
        if found:
            kinds = (seen.kinds[0], seen.kinds[1])
            rows += stretch_rows(page, reading, e.probabilities, kinds, found)
            words = [sum(e.words[k] for k in chosen if a <= k < z) for a, z in found]
            good = [sum(e.words[k] for k in chosen if a <= k < z and e.labels[k]) for a, z in found]
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


def fit(
    parameters: Mapping[str, Any], rounds: int, seed: int, rows: Any, labels: Any, weights: Any
) -> Any:
    """Return a fitted LightGBM booster."""
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtraError("Training", "lightgbm", "lab") from error
    settings = {
        **parameters,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 2,
        "verbose": -1,
    }
    return lightgbm.train(settings, lightgbm.Dataset(rows, labels, weight=weights), rounds)


def as_forest(booster: Any, names: Sequence[str], place: int = 0, classes: int = 1) -> Forest:
    """Return the trees of one class of a LightGBM booster, over the features that they ask for."""
    structures = [t["tree_structure"] for t in booster.dump_model()["tree_info"][place::classes]]
    trees = [_tree(structure) for structure in structures]
    used = sorted({k for tree in trees for k in tree.feature})
    place_of = {k: i for i, k in enumerate(used)}
    return Forest(
        tuple(names[k] for k in used),
        tuple(
            Tree([place_of[k] for k in t.feature], t.threshold, t.left, t.right, t.value)
            for t in trees
        ),
    )


def _tree(root: Mapping[str, Any]) -> Tree:
    """Return one tree of LightGBM's dump, its inner nodes numbered from the root down."""
    inner, leaves = [], []
    level = [root]
    while level:
        node = level.pop(0)
        if "leaf_value" in node:
            leaves.append(node)
        else:
            inner.append(node)
            level += (node["left_child"], node["right_child"])
    number = {id(node): k for k, node in enumerate(inner)}
    number |= {id(leaf): ~k for k, leaf in enumerate(leaves)}
    return Tree(
        [node["split_feature"] for node in inner],
        [float(f"{node['threshold']:.6g}") for node in inner],
        [number[id(node["left_child"])] for node in inner],
        [number[id(node["right_child"])] for node in inner],
        [round(leaf["leaf_value"], 4) for leaf in leaves],
    )
