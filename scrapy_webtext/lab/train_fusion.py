"""Trains ``fusion``: all parts of the model in their order, from one seed.

Each part whose output is a feature of another part is fitted out of fold, by registered domain. So
the scores and probabilities of a training page come from models that do not know its site.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, Final

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.fusion.expected_f1 import best_threshold, expected_f1
from scrapy_webtext.extractors.fusion.features.bag_of_words import write_bag_of_words
from scrapy_webtext.extractors.fusion.features.context import groups
from scrapy_webtext.extractors.fusion.features.page_features import JUDGE_FEATURES
from scrapy_webtext.extractors.fusion.features.short_texts import write_token_scores
from scrapy_webtext.extractors.fusion.model import (
    FIRST_FEATURES,
    KIND,
    PASSES,
    SECOND_FEATURES,
    VERSION,
    fit_calibration,
)
from scrapy_webtext.extractors.fusion.trees.forest import write_exits, write_forest
from scrapy_webtext.lab import train_forests, train_words
from scrapy_webtext.lab.corpus import corpus_name
from scrapy_webtext.lab.made_pages import Source, made_kinds, make_page
from scrapy_webtext.lab.train_examples import (
    FOLDS,
    Example,
    Wanted,
    block_matrix,
    every_page,
    example,
    labelled_pages,
    real_pages,
)

#: With fewer labelled pages a fold could have nothing to learn from.
LEAST_PAGES: Final = 20
CALIBRATION_BINS: Final = 12
FEATURES: Final = dict(zip(PASSES, (FIRST_FEATURES, SECOND_FEATURES), strict=True))


def train_fusion(
    paths: Sequence[str | PathLike[str]],
    *,
    types_only: Sequence[str | PathLike[str]] = (),
    seed: int = 0,
) -> dict[str, Any]:
    """Return the content of a model file, trained on the pages of these corpora.

    Pages without gold text, and those of ``types_only``, train the judge only. CorpusError for
    fewer than `LEAST_PAGES` labelled pages, MissingExtraError without LightGBM.
    """
    examples = read_examples([*paths, *types_only])
    return fit_fusion(examples, paths, seed, types_only=types_only)


def read_examples(
    paths: Sequence[str | PathLike[str]], wanted: Wanted = every_page
) -> list[Example]:
    """Return the wanted pages of corpora as examples; pages without text are left out.

    Others are made of some of them (`made_pages`).
    """
    rows = (example(*row) for row in labelled_pages(paths, wanted))
    examples = [e for e in rows if e is not None]
    labelled = {(e.corpus, e.id): e for e in examples}
    kinds = made_kinds(Source(e.corpus, e.id, e.script, e.type, bool(e.labels)) for e in examples)
    for corpus, page, parsed in labelled_pages(paths, lambda name, one: (name, one.id) in kinds):
        for kind in kinds[corpus, page.id]:
            if (made := make_page(kind, page, parsed)) and (e := example(corpus, *made)):
                source = labelled[corpus, page.id]
                e.domain, e.script = source.domain, source.script
                examples.append(e)
    return examples


def fit_fusion(
    examples: Sequence[Example],
    paths: Sequence[str | PathLike[str]],
    seed: int,
    *,
    types_only: Sequence[str | PathLike[str]] = (),
) -> dict[str, Any]:
    """Return the content of a model file, trained on these examples.

    They are pages of the corpora ``paths``, and of ``types_only``, which train the judge only. The
    corpora are read a second time, because the features need the scores of class names and words.
    """
    with_labels = {corpus_name(path) for path in paths}
    for e in examples:
        if e.corpus not in with_labels:
            e.labels = []
    labelled = [e for e in examples if e.labels]
    if len(labelled) < LEAST_PAGES:
        raise CorpusError(
            f"fusion needs {LEAST_PAGES} labelled pages with text to learn from, there are "
            f"{len(labelled)}; naive_bayes does with fewer"
        )
    split_few_sites(examples)
    real = real_pages(examples)
    out_of_fold = train_words.lexicons(labelled, real, seed)
    train_words.fill_article_scores(examples, out_of_fold, seed)
    train_words.fill_bag_features(examples, seed)
    for e, page, table in train_words.rescored([*paths, *types_only], examples, out_of_fold, seed):
        e.blocks = block_matrix(table)
        e.groups = groups(page, table)
    exits = {name: train_forests.pass_out_of_fold(name, examples, seed) for name in PASSES}

    def forest(booster: Any, features: Sequence[str]) -> Any:
        return write_forest(train_forests.as_forest(booster, features))

    judge, article_pairs = train_forests.fit_judge(examples, seed)
    return {
        "kind": KIND,
        "version": VERSION,
        "seed": seed,
        "class_names": train_words.fit_class_names(labelled),
        "token_scores": write_token_scores(train_words.fit_token_scores(labelled, real)),
        "bags_of_words": write_bag_of_words(train_words.fit_bag_of_words(real)),
        **{
            name: forest(train_forests.fit_pass(name, labelled, seed), FEATURES[name])
            for name in PASSES
        },
        "early_exits": {name: write_exits(of_pass) for name, of_pass in exits.items()},
        "judge": forest(judge, JUDGE_FEATURES),
        "article": write_calibration(*article_pairs),
        "score": write_calibration(*_score_pairs(labelled)),
    }


def _score_pairs(examples: Iterable[Example]) -> tuple[list[float], list[float]]:
    """Return per page the expected and the true word F1 of the blocks above its threshold.

    For the true F1 a word is right if it is in the gold text, in the same order.
    """
    expected, true = [], []
    for e in examples:
        p, words = e.probabilities[PASSES[-1]], e.words
        threshold = best_threshold(p, words)
        chosen = [k for k, one in enumerate(p) if one > threshold]
        expected.append(expected_f1(p, words, chosen))
        taken = sum(words[k] for k in chosen)
        true.append(2 * sum(e.matched[k] for k in chosen) / (taken + e.gold_words))
    return expected, true


def split_few_sites(examples: Sequence[Example]) -> None:
    """Make each page a site of its own if there are fewer sites than folds.

    A model that is trained on one site is for that site, so it may learn what its pages share.
    """
    if len({e.domain for e in examples}) < FOLDS:
        for e in examples:
            e.domain = f"{e.domain}/{e.id}"


def write_calibration(raw: Sequence[float], observed: Sequence[float]) -> dict[str, Any]:
    """Return the section of a model file for a calibration that is fitted to these pairs."""
    fitted = fit_calibration(raw, observed, CALIBRATION_BINS)
    return {"raw": list(fitted.raw), "observed": list(fitted.observed)}
