"""Train ``fusion``: all parts of the model in order, from one seed.

Each part whose output is a feature of another part is fitted out of fold, by registered domain. So
the scores and probabilities of a training page come from models that do not know its site.

The forests are two passes over blocks with early exits, a third one over units between likely
text, and the judge. Early exits are score bounds
after some trees, beyond which the other trees are skipped. They are fitted on out-of-fold scores,
so that the share of wrong exits is that on new sites.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Final, NamedTuple

from scrapy_webtext.errors import CorpusError, import_extra
from scrapy_webtext.extractors.fusion import model
from scrapy_webtext.extractors.fusion.features import context, page_features
from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.context import best_threshold, expected_f1
from scrapy_webtext.extractors.fusion.features.declared import write_bag_of_words
from scrapy_webtext.extractors.fusion.features.templates import write_token_scores
from scrapy_webtext.extractors.fusion.features.units import (
    chances_of_units,
    unit_means,
    units_between,
)
from scrapy_webtext.extractors.fusion.model import PASSES, EarlyExit, Forest, Tree
from scrapy_webtext.lab import resource, train_examples, train_words
from scrapy_webtext.lab.corpus import corpus_name
from scrapy_webtext.lab.made_pages import kind_of, labelled_id, made_pages
from scrapy_webtext.lab.train_examples import (
    FOLDS,
    Example,
    Wanted,
    labelled_pages,
    made_kinds,
    np,
    real_pages,
)

#: With fewer labelled pages a fold could have nothing to learn from.
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

    Pages without gold text, and those of ``types_only``, train the judge only. The corpora are read
    twice, because the features need the scores of class names and words. CorpusError for fewer than
    `LEAST_PAGES` labelled pages, MissingExtraError without LightGBM.
    """
    examples = read_examples([*paths, *types_only], wanted)
    with_labels = {corpus_name(path) for path in paths}
    for e in examples:
        if e.corpus not in with_labels:
            e.labels = []
    labelled = [e for e in examples if e.labels and not e.is_graft]
    if len(labelled) < LEAST_PAGES:
        raise CorpusError(
            f"fusion needs {LEAST_PAGES} labelled pages with text to learn from, there are "
            f"{len(labelled)}; naive_bayes does with fewer"
        )
    split_few_sites(examples)
    real = real_pages(examples)
    with_grafts = [e for e in examples if e.is_graft]
    out_of_fold = train_words.lexicons(labelled, real, with_grafts, seed)
    train_words.fill_bag_features(examples, seed)
    for e, table in train_words.rescored([*paths, *types_only], examples, out_of_fold, seed):
        e.blocks = train_examples.block_matrix(table)
        e.groups = context.groups(table)
    exits = {name: pass_out_of_fold(name, examples, seed) for name in PASSES}
    third = third_pass([e for e in examples if e.labels], seed)
    judge, article_pairs = fit_judge([e for e in examples if not e.is_graft], seed)
    of_blocks = [e for e in examples if e.labels]
    known = {"first": model.FIRST_FEATURES, "second": model.SECOND_FEATURES}
    forests = {name: as_forest(fit_pass(name, of_blocks, seed), known[name]) for name in PASSES}
    return {
        "kind": model.KIND,
        "version": model.VERSION,
        "seed": seed,
        "class_names": train_words.fit_class_names(labelled),
        "token_scores": write_token_scores(
            train_words.fit_token_scores(labelled, real, with_grafts)
        ),
        "bags_of_words": write_bag_of_words(train_words.fit_bag_of_words(real)),
        **{name: model.write_forest(forests[name]) for name in PASSES},
        "third": model.write_forest(third),
        "early_exits": {name: model.write_exits(of_pass) for name, of_pass in exits.items()},
        "judge": model.write_forest(as_forest(judge, page_features.JUDGE_FEATURES)),
        "article": write_calibration(*article_pairs),
        "score": write_calibration(*_score_pairs(labelled)),
    }


def read_examples(paths: Sequence[str | PathLike[str]], wanted: Wanted | None) -> list[Example]:
    """Return the wanted pages of corpora as examples; pages without text are left out.

    Others are made of some of them (`made_pages`).
    """
    rows = (train_examples.example(*row) for row in labelled_pages(paths, wanted))
    examples = [e for e in rows if e is not None]
    labelled = {(e.corpus, e.id): e for e in examples}
    kinds = made_kinds(examples)
    for corpus, page, parsed in made_pages(labelled_pages(paths), kinds):
        if e := train_examples.example(corpus, page, parsed):
            source = labelled[corpus, labelled_id(page.id)]
            e.domain, e.script = source.domain, source.script
            examples.append(e)
    return examples


def _score_pairs(examples: Iterable[Example]) -> tuple[list[float], list[float]]:
    """Return per page the expected and the true word F1 of the blocks above its threshold.

    For the true F1 a word is right if it is in the gold text, in the same order.
    """
    expected, true = [], []
    for e in examples:
        p, words = e.probabilities["third"], e.words
        threshold = best_threshold(p, words)
        chosen = [k for k, probability in enumerate(p) if probability > threshold]
        expected.append(expected_f1(p, words, chosen))
        taken = sum(words[k] for k in chosen)
        true.append(2 * sum(e.matched[k] for k in chosen) / (taken + e.gold_words))
    return expected, true


def split_few_sites(examples: Sequence[Example]) -> None:
    """Make each page a site of its own if there are fewer sites than folds.

    A model of one site is used on that site, so it may learn the common features of its pages.
    """
    if len({e.domain for e in examples}) < FOLDS:
        for e in examples:
            e.domain = f"{e.domain}/{labelled_id(e.id)}"


def write_calibration(raw: Sequence[float], observed: Sequence[float]) -> dict[str, Any]:
    """Return the section of a model file for a calibration that is fitted to these pairs."""
    fitted = model.fit_calibration(raw, observed, CALIBRATION_BINS)
    return {"raw": list(fitted.raw), "observed": list(fitted.observed)}


def fit(
    parameters: Mapping[str, Any], rounds: int, seed: int, rows: Any, labels: Any, weights: Any
) -> Any:
    """Return a fitted LightGBM booster."""
    lightgbm = import_extra("lightgbm", "Training", "lab")
    settings = {
        **parameters,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 2,
        "verbose": -1,
    }
    return lightgbm.train(settings, lightgbm.Dataset(rows, labels, weight=weights), rounds)


def as_forest(booster: Any, names: Sequence[str]) -> Forest:
    """Return the trees of a LightGBM booster, over the features that they use."""
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


#: Numbers of trees after which there is an exit.
STAGES: Final = (8, 12, 16, 20, 30, 50, 80)
#: A bound that no score reaches.
NEVER: Final = 99.0
#: An exit that fewer rows would take gets no bound.
LEAST_ROWS: Final = 500


#: At most this share of the rows below the lower bound has a final score of `LOW` or more, and at
#: most this share of the rows above the upper bound has a final score of less than `HIGH`.
ERROR: Final = 0.005
LOW: Final = -3.2
HIGH: Final = 3.4


def stages(booster: Any, rows: Any) -> Any:
    """Return the scores of rows after each stage and after all trees; shape (rows, stages + 1)."""
    after = [*STAGES, -1]
    scores = [booster.predict(rows, raw_score=True, num_iteration=n) for n in after]
    return np.array(scores, dtype="float32").T


def fit_exits(scores: Any) -> tuple[EarlyExit, ...]:
    """Return the early exits for rows with these scores (the result of `stages`).

    A row takes the first exit that its score allows, so each exit is fitted on the rows that are
    left.
    """
    rest, exits = scores, []
    for k, trees in enumerate(STAGES):
        final = rest[:, -1]
        below = _bound(rest[:, k], final >= LOW)
        above = -_bound(-rest[:, k], final < HIGH)
        low, high = rest[:, k] < below, rest[:, k] > above
        added = [_added_score(rest[side, k], final[side]) for side in (low, high)]
        exits.append(EarlyExit(trees, below, above, *added))
        rest = rest[~(low | high)]
    return tuple(exits)


def _bound(score: Any, is_wrong: Any) -> float:
    """Return the greatest bound so that at most the share `ERROR` of the rows below is wrong."""
    order = np.argsort(score, kind="stable")
    shares = np.cumsum(is_wrong[order]) / np.arange(1, len(order) + 1)
    allowed = np.flatnonzero(shares <= ERROR)
    if not len(allowed) or allowed[-1] < LEAST_ROWS:
        return -NEVER
    return round(float(score[order[allowed[-1]]]), 4)


def _added_score(score: Any, final: Any) -> float:
    """Return the number that, added to the scores, gives the final mean probability."""
    if not len(score):
        return 0.0
    score, wanted = score.astype(float), _logistic(final.astype(float)).mean()
    optimize = import_extra("scipy.optimize", "Training", "lab")
    added = optimize.brentq(lambda added: _logistic(score + added).mean() - wanted, -NEVER, NEVER)
    return round(float(added), 4)


def early_exit_probabilities(scores: Any, exits: Sequence[EarlyExit]) -> list[float]:
    """Return the probabilities that a forest with these exits would return."""
    final = scores[:, -1].astype(float)
    is_done = np.zeros(len(scores), dtype=bool)
    for exit_ in exits:
        score = scores[:, STAGES.index(exit_.trees)].astype(float)
        below, above = score < exit_.below, score > exit_.above
        for side, added in ((below, exit_.add_below), (above, exit_.add_above)):
            leaves = ~is_done & side
            final[leaves] = score[leaves] + added
            is_done |= leaves
    found: list[float] = _logistic(final).tolist()
    return found


def _logistic(score: Any) -> Any:
    return 1 / (1 + np.exp(-score))


#: Parameters of LightGBM.
_PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = json.loads(resource("train_fusion.json"))
#: Trees of each pass.
ROUNDS: Final[Mapping[str, int]] = {"first": 150, "second": 100}
#: Weight of pages that are no articles; there are fewer of them.
OTHERS_WEIGHT: Final = 2.0
#: Weight of the blocks of grafts; the other blocks of their pages are not used.
GRAFTS_WEIGHT: Final = 0.3
#: Share of easy blocks (in menus and footers, or nearly all link) that is used in training, if
#: there are at least ``MANY_PAGES`` pages.
EASY_SHARE: Final = 0.25
MANY_PAGES: Final = 500
EASY_LINK_DENSITY: Final = 0.9
_STRUCTURE_COLUMNS: Final = list(
    map(page_features.PAGE_FEATURES.index, page_features.STRUCTURE_FEATURES)
)


def pass_rows(name: str, e: Example) -> Any:
    """Return an array, candidate blocks by the features of a pass."""
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
    """Return the booster of a pass; the second pass needs the first pass' probabilities.

    The weight of a block is the square root of its words, divided by the square root of the sum of
    these roots over its page. So a long page weighs more than a short one, but less than in
    proportion to its length.
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
        if e.is_graft:
            kept, weight = np.array(e.is_graft), weight * GRAFTS_WEIGHT
        rows.append(pass_rows(name, e)[kept])
        labels.append(label[kept])
        weights.append(weight[kept] * (1.0 if e.is_article else OTHERS_WEIGHT))
    table = map(np.concatenate, (rows, labels, weights))
    return fit(_PARAMETERS["blocks"], ROUNDS[name], seed, *table)


def pass_out_of_fold(name: str, examples: Sequence[Example], seed: int) -> tuple[Any, ...]:
    """Fill in the probabilities of a pass, from models of the other folds; return the early exits.

    Examples without labels get probabilities, but are not used in training.
    """
    for k in range(FOLDS):
        left_out = [e for e in examples if e.fold(seed) == k]
        others = [e for e in examples if e.labels and e.fold(seed) != k]
        if left_out:
            booster = fit_pass(name, others, seed)
            for e in left_out:
                e.scores[name] = stages(booster, pass_rows(name, e))
    real = (e for e in examples if e.labels and not e.is_graft)
    exits = fit_exits(np.concatenate([e.scores[name] for e in real]))
    for e in examples:
        e.probabilities[name] = early_exit_probabilities(e.scores.pop(name), exits)
    return exits


#: Parameters of the third pass: few rows, so few leaves.
THIRD_ROUNDS: Final = 120
#: Weight of the units of grafts in the third pass, and of units that are text: a gap in a text is
#: worse than a line too many.
GRAFT_UNITS_WEIGHT: Final = 4.0
TEXT_WEIGHT: Final = 1.5


def third_pass(examples: Iterable[Example], seed: int) -> Forest:
    """Return the forest of the third pass, and fill in its probabilities out of fold.

    Only articles have its units; other pages keep the probabilities of the second pass.
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
    return as_forest(fitted(fold >= 0), model.THIRD_FEATURES)


class _Unit(NamedTuple):
    example: Example
    first: int
    end: int
    features: Any
    is_text: bool
    weight: float


def _units(e: Example) -> Iterator[_Unit]:
    """Yield the units of an article between likely text; of a page with grafts only these."""
    assert e.groups is not None
    units, second = e.groups.units, e.probabilities["second"]
    means = unit_means(units, e.groups.words, second)
    e.probabilities["third"] = means
    places = units_between(units, means)
    chances = np.array([*chances_of_units(units, places, means, second).values()])
    table = np.hstack([pass_rows("second", e)[places], chances.T.astype("float32")])
    scale = np.sqrt(np.sqrt(np.minimum(e.words, 400) + 3.0).sum())
    for k, row in zip(places, table, strict=True):
        end = units.end[k]
        if not e.is_graft or any(e.is_graft[k:end]):
            words = np.array(e.words[k:end]) + 1
            is_text = 2 * words[e.labels[k:end]].sum() > words.sum()
            weight = np.sqrt(min(words.sum(), 400) + 3.0) / scale
            weight *= (GRAFT_UNITS_WEIGHT if e.is_graft else 1) * (TEXT_WEIGHT if is_text else 1)
            yield _Unit(e, k, end, row, is_text, weight)


def _is_easy(e: Example) -> Any:
    """Return a mask over blocks: 1 in a menu or footer, or if nearly all of the text is link."""
    nav, footer, link_density = (
        e.blocks[:, BLOCK_FEATURES.index(name)] for name in ("in_nav", "in_footer", "link_density")
    )
    return (nav > 0) | (footer > 0) | (link_density > EASY_LINK_DENSITY)


JUDGE_ROUNDS: Final = 500
#: Weights in the judge: of labelled pages that are no articles, and of made articles.
OTHERS_JUDGED: Final = 1.5
MADE_JUDGED: Final = 0.7
_LINK_DENSITY, _REPEATED_ITEMS = map(BLOCK_FEATURES.index, ("link_density", "repeated_items"))


def fit_judge(
    examples: Sequence[Example], seed: int
) -> tuple[Any, tuple[list[float], list[float]]]:
    """Return the booster, and its out-of-fold probabilities with the labels, for calibration.

    Each page is used twice: with its URL and without. Made pages are not used in the calibration.
    """
    table = np.array([judge_rows(e) for e in examples])
    truth = np.array([e.is_article for e in examples])
    fold = np.array([e.fold(seed) for e in examples])
    is_made = np.array([bool(kind_of(e.id)) for e in examples])
    weights = np.where(
        truth, np.where(is_made, MADE_JUDGED, 1), np.where(is_made, 1, OTHERS_JUDGED)
    )
    probabilities = np.zeros(table.shape[:2])
    for k in np.unique(fold):
        others = fold != k
        model = _fit(table[others], truth[others], weights[others], seed)
        probabilities[~others] = [model.predict(rows) for rows in table[~others]]
    observed = np.repeat(truth[~is_made], 2).astype(float).tolist()
    pairs = probabilities[~is_made].ravel().tolist(), observed
    return _fit(table, truth, weights, seed), pairs


def judge_rows(e: Example) -> list[list[float]]:
    """Return the features of a page in two rows: with its URL, and without."""
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
