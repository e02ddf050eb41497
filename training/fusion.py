"""Trains ``fusion``: all parts of the model in order, from one seed.

If the output of a part is a feature of another part, the first part is fitted out of fold by
registered domain. So the scores and probabilities of a training page come from models that do not
know its site.

The model has four forests: two passes over blocks with early exits, a third pass over units,
and the judge.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress
from os import PathLike
from statistics import fmean
from typing import Any, Final, NamedTuple

import lightgbm
import numpy as np

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.fusion import model
from scrapy_webtext.extractors.fusion.features import context, page_features
from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.templates import TokenScores
from scrapy_webtext.extractors.fusion.features.units import (
    chances_of_units,
    undecided_units,
    unit_means,
)
from scrapy_webtext.extractors.fusion.model import PASSES, Forest, Tree
from scrapy_webtext.lab.corpus import LabelledPage, corpus_name
from training import each_in_a_process, model_file, resource, words
from training import examples as of_pages
from training.examples import FOLDS, Example, Wanted, labelled_pages
from training.exits import early_exit_probabilities, fit_exits, stages
from training.made_pages import GRAFTS, LESSONS, kind_of, labelled_id, made_pages

_LOG: Final = logging.getLogger(__name__)
#: With fewer labelled pages, a fold could have no pages to learn from.
LEAST_PAGES: Final = 20
CALIBRATION_BINS: Final = 12


def train_fusion(
    paths: Sequence[str | PathLike[str]],
    *,
    types_only: Sequence[str | PathLike[str]] = (),
    seed: int = 0,
    wanted: Wanted | None = None,
) -> dict[str, Any]:
    """Return the content of a model file, trained on the wanted pages of these corpora.

    Pages without gold text, and all pages of the corpora ``types_only``, train the judge only. The
    corpora are read twice, because the features need the scores of class names and words. Raise
    CorpusError for fewer than `LEAST_PAGES` labelled pages.
    """
    examples = read_examples([*paths, *types_only], wanted)
    with_labels = {corpus_name(path) for path in paths}
    for e in examples:
        if e.corpus not in with_labels:
            e.labels = []
    return fit_model(examples, [*paths, *types_only], seed)


def fit_model(
    examples: list[Example], paths: Sequence[str | PathLike[str]], seed: int
) -> dict[str, Any]:
    """Return the content of a model file; ``paths`` are the corpora of the examples."""
    labelled = [e for e in examples if e.labels and kind_of(e.id) not in LESSONS]
    if len(labelled) < LEAST_PAGES:
        raise CorpusError(
            f"fusion needs {LEAST_PAGES} labelled pages with text to learn from, there are "
            f"{len(labelled)}; naive_bayes does with fewer"
        )
    split_few_sites(examples)
    real = of_pages.real_pages(examples)
    of_made = [e for e in examples if e.labels and kind_of(e.id) in LESSONS and e.lesson.words]
    _LOG.info("examples: %d pages, %d of them with labelled blocks", len(examples), len(labelled))
    out_of_fold = words.lexicons(labelled, real, of_made, seed)
    words.fill_bag_features(examples, seed)
    words.rescore(paths, examples, out_of_fold, seed)
    _LOG.info("features: %d blocks", sum(len(e.words) for e in examples))
    exits = {name: pass_out_of_fold(name, examples, seed) for name in PASSES}
    third = third_pass([e for e in examples if e.labels], seed)
    judge, article_pairs = fit_judge([e for e in examples if e.lesson.judge], seed)
    _LOG.info("judge")
    of_blocks = [e for e in examples if e.labels]
    content = words.content_scores(labelled, ((e, e.tokens) for e in of_made))
    token_scores = TokenScores(content, words.article_scores(real))
    known = {"first": model.FIRST_FEATURES, "second": model.SECOND_FEATURES}
    forests = {name: as_forest(fit_pass(name, of_blocks, seed), known[name]) for name in PASSES}
    _LOG.info("forests")
    for line in out_of_fold_scores(examples):
        _LOG.info(line)
    return {
        "kind": model.KIND,
        "version": model.VERSION,
        "seed": seed,
        "class_names": words.fit_class_names(labelled),
        "token_scores": model_file.write_token_scores(token_scores),
        "bags_of_words": model_file.write_bag_of_words(words.fit_bag_of_words(real)),
        **{name: model_file.write_forest(forests[name]) for name in PASSES},
        "third": model_file.write_forest(third),
        "early_exits": {name: model_file.write_exits(of_pass) for name, of_pass in exits.items()},
        "judge": model_file.write_forest(as_forest(judge, page_features.JUDGE_FEATURES)),
        "article": write_calibration(*article_pairs),
        "score": write_calibration(*_score_pairs(labelled)),
    }


def read_examples(paths: Sequence[str | PathLike[str]], wanted: Wanted | None) -> list[Example]:
    """Return the wanted pages of corpora, and the pages made from them (`made_pages`), as examples.

    Pages without text are left out.
    """

    def read(path: str | PathLike[str]) -> list[Example]:
        rows = (of_pages.example(*row) for row in labelled_pages([path], wanted))
        return [e for e in rows if e is not None]

    examples = list(chain.from_iterable(each_in_a_process(read, paths)))
    labelled = {(e.corpus, e.id): e for e in examples}
    kinds = of_pages.made_kinds(examples)

    def is_used(corpus: str, page: LabelledPage) -> bool:
        return (corpus, page.id) in kinds

    def make(path: str | PathLike[str]) -> list[Example]:
        rows = (
            of_pages.example(*row) for row in made_pages(labelled_pages([path], is_used), kinds)
        )
        return [e for e in rows if e is not None]

    for e in chain.from_iterable(each_in_a_process(make, paths)):
        source = labelled[e.corpus, labelled_id(e.id)]
        e.domain, e.script = source.domain, source.script
        examples.append(e)
    return examples


def _score_pairs(examples: Iterable[Example]) -> tuple[list[float], list[float]]:
    """Return each page's expected and true word F1, for the blocks above the page's threshold.

    For the true F1 a word is right if the gold text has it, in the same order. Captions are left
    out.
    """
    expected, true = [], []
    for e in examples:
        p = [*compress(e.probabilities["third"], e.trains)]
        sizes, matched = [*compress(e.words, e.trains)], [*compress(e.matched, e.trains)]
        threshold = context.best_threshold(p, sizes)
        chosen = [k for k, probability in enumerate(p) if probability > threshold]
        expected.append(context.expected_f1(p, sizes, chosen))
        taken = sum(sizes[k] for k in chosen)
        true.append(2 * sum(matched[k] for k in chosen) / (taken + e.gold_words))
    return expected, true


def out_of_fold_scores(examples: Iterable[Example]) -> Iterator[str]:
    """Yield a line per corpus or kind of made pages, with scores by models of other sites.

    Word F1 is that of `_score_pairs`: before the rules of ``choose``, and without captions. The
    share of articles is that of pages whose probability by the judge is 0.5 or more.
    """
    groups: dict[str, list[Example]] = defaultdict(list)
    for e in examples:
        groups[kind_of(e.id) or e.corpus].append(e)
    for name, some in sorted(groups.items()):
        with_text = [e for e in some if e.labels and e.gold_words]
        score = f", word F1 {fmean(_score_pairs(with_text)[1]):.4f}" if with_text else ""
        shares = ""
        for kind, is_article in (("articles", True), ("other pages", False)):
            own = [e for e in some if e.is_article == is_article and "judge" in e.probabilities]
            if own:
                share = fmean(e.probabilities["judge"][0] >= 0.5 for e in own)
                shares += f", of {len(own)} {kind} {share:.3f} called articles"
        yield f"{name}: {len(some)} pages{score}{shares}"


def split_few_sites(examples: Sequence[Example]) -> None:
    """Make each page a site of its own if there are fewer sites than folds.

    A model from pages of one site is used on that site, so it may learn what the site's pages
    share.
    """
    if len({e.domain for e in examples}) < FOLDS:
        for e in examples:
            e.domain = f"{e.domain}/{labelled_id(e.id)}"


def write_calibration(raw: Sequence[float], observed: Sequence[float]) -> dict[str, Any]:
    """Fit a calibration to these pairs, and return its section of a model file."""
    fitted = model_file.fit_calibration(raw, observed, CALIBRATION_BINS)
    return {"raw": list(fitted.raw), "observed": list(fitted.observed)}


def fit(
    parameters: Mapping[str, Any], rounds: int, seed: int, rows: Any, labels: Any, weights: Any
) -> Any:
    """Fit a LightGBM booster and return it."""
    settings = {**parameters, **_PARAMETERS["all"], "seed": seed}
    return lightgbm.train(settings, lightgbm.Dataset(rows, labels, weight=weights), rounds)


def as_forest(booster: Any, names: Sequence[str]) -> Forest:
    """Convert a LightGBM booster to a forest that has only the features its trees use."""
    trees = [_tree(tree["tree_structure"]) for tree in booster.dump_model()["tree_info"]]
    used = sorted({k for tree in trees for k in tree.feature})
    column = {k: i for i, k in enumerate(used)}
    return Forest(
        tuple(names[k] for k in used),
        tuple(
            Tree([column[k] for k in t.feature], t.threshold, t.left, t.right, t.value)
            for t in trees
        ),
    )


def _tree(root: Mapping[str, Any]) -> Tree:
    """Convert a tree of LightGBM's dump; its inner nodes are numbered from the root down."""
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


#: Parameters of LightGBM.
_PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = json.loads(resource("fusion.json"))
#: The number of trees in each pass.
ROUNDS: Final[Mapping[str, int]] = {"first": 150, "second": 100}
#: The weight of pages that are no articles. It is greater than 1, because such pages are rarer.
OTHERS_WEIGHT: Final = 2.0
#: The share of easy blocks that is used in training, if there are at least ``MANY_PAGES`` pages.
#: Easy are blocks without content in menus and footers, or with nearly all of their text in
#: links.
EASY_SHARE: Final = 0.25
MANY_PAGES: Final = 500
EASY_LINK_DENSITY: Final = 0.9
_STRUCTURE_COLUMNS: Final = list(
    map(page_features.PAGE_FEATURES.index, page_features.STRUCTURE_FEATURES)
)


def pass_rows(name: str, e: Example) -> Any:
    """Return the features of a pass as an array: (candidate blocks, features)."""
    number = len(e.blocks)
    rows = [e.blocks, np.repeat(e.page[None, _STRUCTURE_COLUMNS], number, 0)]
    if name == "second":
        first, blocks = e.probabilities["first"], e.groups
        assert blocks is not None
        columns = context.context_columns(blocks, first)
        constants = context.context_constants(blocks, first)
        page = np.array([constants[k] for k in context.CONTEXT_CONSTANTS], dtype="float32")
        rows.append(np.array([columns[k] for k in context.CONTEXT_COLUMNS], dtype="float32").T)
        rows.append(np.repeat(page[None], number, 0))
    return np.hstack(rows)


def fit_pass(name: str, examples: Sequence[Example], seed: int) -> Any:
    """Fit the booster of a pass; the second pass needs the probabilities from the first pass.

    The weight of a block begins as the square root of its words (at most 400) plus 3. It is divided
    by the square root of the sum of these values over the page. So a long page weighs more than a
    short one, but less than in proportion to its length.
    """
    random = np.random.default_rng(seed)
    share = EASY_SHARE if len(examples) >= MANY_PAGES else 1.0
    rows, labels, weights = [], [], []
    for e in examples:
        label = np.array(e.labels, dtype="float32")
        easy = _is_easy(e) & (label == 0)
        kept = ~easy | (random.random(len(label)) < share)
        weight = np.sqrt(np.minimum(e.words, 400) + 3.0)
        weight = weight / np.sqrt(weight.sum()) / np.where(easy, share, 1.0)
        kept = np.array(e.trains) & (kept | (kind_of(e.id) in GRAFTS))
        weight = weight * e.lesson.blocks
        rows.append(pass_rows(name, e)[kept])
        labels.append(label[kept])
        weights.append(weight[kept] * (1.0 if e.is_article else OTHERS_WEIGHT))
    table = map(np.concatenate, (rows, labels, weights))
    return fit(_PARAMETERS["blocks"], ROUNDS[name], seed, *table)


def pass_out_of_fold(name: str, examples: Sequence[Example], seed: int) -> tuple[Any, ...]:
    """Fill in the probabilities of a pass, each from a model of the other folds; return the exits.

    Examples without labels get probabilities, but no model is trained on them.
    """
    for k in range(FOLDS):
        left_out = [e for e in examples if e.fold(seed) == k]
        others = [e for e in examples if e.labels and e.fold(seed) != k]
        if left_out:
            booster = fit_pass(name, others, seed)
            for e in left_out:
                e.scores[name] = stages(booster, pass_rows(name, e))
    real = (e for e in examples if e.labels and kind_of(e.id) not in LESSONS)
    exits = fit_exits(np.concatenate([e.scores[name] for e in real]))
    _LOG.info("%s pass, out of fold", name)
    for e in examples:
        e.probabilities[name] = early_exit_probabilities(e.scores.pop(name), exits)
    return exits


#: The number of trees in the third pass.
THIRD_ROUNDS: Final = 200
#: Weight in the third pass of units that are text. It is above 1, because a gap in the text is
#: worse than a line too many.
TEXT_WEIGHT: Final = 1.6


def third_pass(examples: Iterable[Example], seed: int) -> Forest:
    """Fit the forest of the third pass, and fill in the out-of-fold probabilities of this pass.

    Only articles have units for this pass. Other pages keep the probabilities of the second pass.
    """
    found: list[_Unit] = []
    for e in examples:
        e.probabilities["third"] = e.probabilities["second"]
        if e.is_article:
            found += _units(e)
    if not found:
        return Forest((), ())
    table = np.array([unit.features for unit in found])
    truth = np.array([float(unit.is_text) for unit in found])
    weight = np.array([unit.weight for unit in found])
    fold = np.array([unit.example.fold(seed) for unit in found])

    def fitted(rows: Any) -> Any:
        some = table[rows], truth[rows], weight[rows]
        return fit(_PARAMETERS["units"], THIRD_ROUNDS, seed, *some)

    for k in np.unique(fold):
        if (fold != k).any():
            chances = fitted(fold != k).predict(table[fold == k]).tolist()
            for place, p in zip(np.flatnonzero(fold == k), chances, strict=True):
                e, first, end = found[place][:3]
                e.probabilities["third"][first:end] = [p] * (end - first)
    _LOG.info("third pass: %d units", len(found))
    return as_forest(fitted(fold >= 0), model.THIRD_FEATURES)


class _Unit(NamedTuple):
    example: Example
    first: int
    end: int
    features: Any
    is_text: bool
    weight: float


def _units(e: Example) -> Iterator[_Unit]:
    """Yield an article's undecided units that have blocks which train."""
    assert e.groups is not None
    units, second = e.groups.units, e.probabilities["second"]
    means = unit_means(units, e.groups.words, second)
    e.probabilities["third"] = means
    places = undecided_units(units, means)
    chances = np.array([*chances_of_units(units, places, means, second).values()])
    table = np.hstack([pass_rows("second", e)[places], chances.T.astype("float32")])
    scale = np.sqrt(np.sqrt(np.minimum(e.words, 400) + 3.0).sum())
    for k, row in zip(places, table, strict=True):
        end = units.end[k]
        if any(e.trains[k:end]):
            sizes = (np.array(e.words[k:end]) + 1) * e.trains[k:end]
            is_text = 2 * sizes[e.labels[k:end]].sum() > sizes.sum()
            weight = np.sqrt(min(sizes.sum(), 400) + 3.0) / scale
            weight *= e.lesson.units * (TEXT_WEIGHT if is_text else 1)
            yield _Unit(e, k, end, row, is_text, weight)


def _is_easy(e: Example) -> Any:
    """Return a mask over blocks: True in a menu or footer, or if nearly all text is in links."""
    nav, footer, link_density = (
        e.blocks[:, BLOCK_FEATURES.index(name)] for name in ("in_nav", "in_footer", "link_density")
    )
    return (nav > 0) | (footer > 0) | (link_density > EASY_LINK_DENSITY)


JUDGE_ROUNDS: Final = 500
#: Weights for the judge: of labelled pages that are no articles, and of made articles.
OTHERS_JUDGED: Final = 1.5
MADE_JUDGED: Final = 0.7
_LINK_DENSITY, _REPEATED_ITEMS = map(BLOCK_FEATURES.index, ("link_density", "items_count"))


def fit_judge(
    examples: Sequence[Example], seed: int
) -> tuple[Any, tuple[list[float], list[float]]]:
    """Fit the judge's booster; return it with the pairs (out-of-fold probabilities, labels).

    Each page is used twice: with its URL and without. The pairs are for the calibration and leave
    out made pages.
    """
    table = np.array([judge_rows(e) for e in examples])
    truth = np.array([e.is_article for e in examples])
    fold = np.array([e.fold(seed) for e in examples])
    is_made = np.array([bool(kind_of(e.id)) for e in examples])
    weights = np.where(
        truth, np.where(is_made, MADE_JUDGED, 1), np.where(is_made, 1, OTHERS_JUDGED)
    ) * np.array([e.lesson.judge for e in examples])
    probabilities = np.zeros(table.shape[:2])
    for k in np.unique(fold):
        others = fold != k
        model = _fit(table[others], truth[others], weights[others], seed)
        probabilities[~others] = [model.predict(rows) for rows in table[~others]]
    for e, pair in zip(examples, probabilities, strict=True):
        e.probabilities["judge"] = pair.tolist()
    observed = np.repeat(truth[~is_made], 2).astype(float).tolist()
    pairs = probabilities[~is_made].ravel().tolist(), observed
    return _fit(table, truth, weights, seed), pairs


def judge_rows(e: Example) -> list[list[float]]:
    """Return the judge's features of a page in two rows: with the URL of the page, and without."""
    assert e.groups is not None
    blocks = page_features.article_block_features(
        e.groups.words,
        e.blocks[:, _LINK_DENSITY].tolist(),
        e.blocks[:, _REPEATED_ITEMS].tolist(),
        e.probabilities["second"],
    )
    pages = (e.features, page_features.without_url(e.features))
    rows = ({**features, **blocks} for features in pages)
    return [[row[name] for name in page_features.JUDGE_FEATURES] for row in rows]


def _fit(table: Any, truth: Any, weights: Any, seed: int) -> Any:
    rows = np.concatenate([table[:, 0], table[:, 1]])
    labels, twice = np.tile(truth, 2), np.tile(weights, 2)
    return fit(_PARAMETERS["judge"], JUDGE_ROUNDS, seed, rows, labels, twice)
