"""Trains ``fusion``: scores of names and words, two passes over blocks, the judge. One seed.

Every stage that feeds another is fitted out of fold, by registered domain: a page never sees
scores of names, or probabilities, that its own site helped to learn.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import partial
from os import PathLike
from typing import Any, Final

from scrapy_webtext.corpus import LabelledPage
from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.fusion.expected_f1 import best_threshold, expected_f1
from scrapy_webtext.extractors.fusion.features.article_features import JUDGE_FEATURES
from scrapy_webtext.extractors.fusion.features.bag_of_words import write_bag_of_words
from scrapy_webtext.extractors.fusion.features.context import groups
from scrapy_webtext.extractors.fusion.features.short_texts import write_token_scores
from scrapy_webtext.extractors.fusion.model import (
    FIRST_FEATURES,
    KIND,
    PASSES,
    SECOND_FEATURES,
    VERSION,
)
from scrapy_webtext.extractors.fusion.trees.calibration import fit_calibration
from scrapy_webtext.extractors.fusion.trees.forest import write_exits, write_forest
from scrapy_webtext.train.fusion.article import fit_judge
from scrapy_webtext.train.fusion.bag_of_words import fill_bag_features, fit_bag_of_words
from scrapy_webtext.train.fusion.blocks import fit_pass, pass_out_of_fold
from scrapy_webtext.train.fusion.boosting import as_forest
from scrapy_webtext.train.fusion.examples import (
    FOLDS,
    Example,
    Wanted,
    block_matrix,
    corpus_name,
    every_page,
    example,
    labelled_pages,
)
from scrapy_webtext.train.fusion.negatives import (
    articles_to_empty,
    as_found,
    unlabelled,
    without_text,
)
from scrapy_webtext.train.fusion.token_scores import (
    fill_article_scores,
    fit_class_names,
    fit_token_scores,
    lexicons,
    rescored,
)

#: Fewer labelled pages than this leave folds with nothing to learn from.
LEAST_PAGES: Final = 20
CALIBRATION_BINS: Final = 12


def train_fusion(
    paths: Sequence[str | PathLike[str]],
    *,
    types_only: Sequence[str | PathLike[str]] = (),
    seed: int = 0,
    wanted: Wanted = every_page,
) -> dict[str, Any]:
    """Return the content of a model file, trained on the wanted pages of these corpora.

    Pages without gold text, and those of ``types_only``, teach the judge alone. CorpusError for
    fewer than `LEAST_PAGES` labelled pages, MissingExtraError without LightGBM.
    """
    examples = read_examples([*paths, *types_only], wanted)
    return fit_fusion(examples, paths, seed, types_only=types_only)


def read_examples(
    paths: Sequence[str | PathLike[str]], wanted: Wanted = every_page
) -> list[Example]:
    """Return the wanted pages of corpora as examples, those without text left out.

    Some articles come a second time, as a page without their text (`train.negatives`).
    """
    rows = (example(*row) for row in labelled_pages(paths, wanted))
    examples = [e for e in rows if e is not None]
    whole = {(e.corpus, e.id): e for e in articles_to_empty(examples)}
    for corpus, labelled, page in labelled_pages(paths, partial(_is_among, whole)):
        made = example(corpus, unlabelled(labelled), without_text(labelled, page))
        if made is not None:
            of = whole[corpus, labelled.id]
            made.domain, made.script = of.domain, of.script
            examples.append(made)
    return examples


def _is_among(wanted: Container[tuple[str, str]], corpus: str, page: LabelledPage) -> bool:
    return (corpus, page.id) in wanted


def fit_fusion(
    examples: Sequence[Example],
    paths: Sequence[str | PathLike[str]],
    seed: int,
    *,
    types_only: Sequence[str | PathLike[str]] = (),
) -> dict[str, Any]:
    """Return the content of a model file, trained on these examples.

    They come from the corpora ``paths``, and from ``types_only``, which teach the judge alone.
    Pages are read a second time, with the scores of names and words that other folds taught.
    """
    names = {corpus_name(path) for path in paths}
    for e in examples:
        if e.corpus not in names:
            e.labels = []
    labelled = [e for e in examples if e.labels]
    if len(labelled) < LEAST_PAGES:
        raise CorpusError(
            f"fusion needs {LEAST_PAGES} labelled pages with text to learn from, there are "
            f"{len(labelled)}; naive_bayes does with fewer"
        )
    part_few_sites(examples)
    found = lexicons(labelled, as_found(examples), seed)
    fill_article_scores(examples, found, seed)
    fill_bag_features(examples, seed)
    for one in rescored([*paths, *types_only], examples, found, seed):
        one.example.blocks = block_matrix(one.table)
        one.example.groups = groups(one.page, one.table)
    exits = {name: pass_out_of_fold(name, examples, seed) for name in PASSES}
    judge, judged = fit_judge(examples, seed)
    return {
        "kind": KIND,
        "version": VERSION,
        "seed": seed,
        "class_names": fit_class_names(labelled),
        "token_scores": write_token_scores(fit_token_scores(labelled, as_found(examples))),
        "bags_of_words": write_bag_of_words(fit_bag_of_words(as_found(examples))),
        **{
            name: write_forest(as_forest(fit_pass(name, labelled, seed), features))
            for name, features in zip(PASSES, (FIRST_FEATURES, SECOND_FEATURES), strict=True)
        },
        "early_exits": {name: write_exits(those) for name, those in exits.items()},
        "judge": write_forest(as_forest(judge, JUDGE_FEATURES)),
        "article": write_calibration(*judged),
        "score": write_calibration(*_scores(labelled)),
    }


def _scores(examples: Iterable[Example]) -> tuple[list[float], list[float]]:
    """Return per page the word F1 to expect of the blocks above its threshold, and the true one.

    The true one is of words in the order of the gold text.
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
