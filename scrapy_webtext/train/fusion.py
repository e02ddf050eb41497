"""Trains ``fusion``: scores of names, kinds of page, blocks. One seed, one result.

Every stage that feeds another is fitted out of fold, by registered domain: a page never sees
scores of names, or a kind, that its own site helped to learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, Final

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.fusion.bags import write_bags
from scrapy_webtext.extractors.fusion.boosting import write_exits, write_forest
from scrapy_webtext.extractors.fusion.calibration import fit_calibration
from scrapy_webtext.extractors.fusion.judging import JUDGE_FEATURES
from scrapy_webtext.extractors.fusion.model import KIND, VERSION
from scrapy_webtext.extractors.fusion.pages import PAGE_FEATURES
from scrapy_webtext.extractors.fusion.stretches import STRETCH_FEATURES
from scrapy_webtext.extractors.fusion.wording import KINDS, write_wording
from scrapy_webtext.train.bags import fit_bags, hear_bags
from scrapy_webtext.train.blocks import BLOCK_COLUMNS, blocks_out_of_fold, fit_blocks, settle
from scrapy_webtext.train.examples import (
    FOLDS,
    Example,
    Wanted,
    block_matrix,
    corpus_name,
    every_page,
    example,
    labelled_pages,
)
from scrapy_webtext.train.judging import fit_judge
from scrapy_webtext.train.kinds import fit_kinds, hear_kinds, kinds_out_of_fold
from scrapy_webtext.train.lexicon import fit_names, fit_wording, lexicons, reread
from scrapy_webtext.train.stretches import fit_stretches
from scrapy_webtext.train.trees import as_forest

#: Fewer labelled pages than this leave folds with nothing to learn from.
LEAST_PAGES: Final = 20
CALIBRATION_BINS: Final = 12


def train_fusion(
    paths: Sequence[str | PathLike[str]],
    *,
    kinds_only: Sequence[str | PathLike[str]] = (),
    seed: int = 0,
    wanted: Wanted = every_page,
) -> dict[str, Any]:
    """Return the content of a model file, trained on the wanted pages of these corpora.

    Pages without gold text, and those of ``kinds_only``, teach the kinds of page and the judge.
    CorpusError for fewer than `LEAST_PAGES` labelled pages, MissingExtraError without LightGBM.
    """
    examples = read_examples([*paths, *kinds_only], wanted)
    return fit_fusion(examples, paths, seed, kinds_only=kinds_only)


def read_examples(
    paths: Sequence[str | PathLike[str]], wanted: Wanted = every_page
) -> list[Example]:
    """Return the wanted pages of corpora as examples, those without text left out."""
    rows = (example(*row) for row in labelled_pages(paths, wanted))
    return [e for e in rows if e is not None]


def fit_fusion(
    examples: Sequence[Example],
    paths: Sequence[str | PathLike[str]],
    seed: int,
    *,
    kinds_only: Sequence[str | PathLike[str]] = (),
) -> dict[str, Any]:
    """Return the content of a model file, trained on these examples.

    They come from the corpora ``paths``, and from ``kinds_only``, which teach the kinds of page
    and the judge alone. Pages are read again for every stage.
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
    found = lexicons(labelled, examples, seed)
    hear_kinds(examples, found, seed)
    hear_bags(examples, seed)
    for e, probabilities in zip(examples, kinds_out_of_fold(examples, seed), strict=True):
        e.kinds = probabilities
    everything = [*paths, *kinds_only]
    for one in reread(everything, examples, found, seed):
        one.example.blocks = block_matrix(one.reading)
    blocks_out_of_fold(examples, seed)
    exits = settle(examples)
    stretches, scores = fit_stretches(reread(paths, labelled, found, seed), seed)
    judge, judged = fit_judge(reread(everything, examples, found, seed), seed)
    kinds = fit_kinds(examples, seed)
    return {
        "kind": KIND,
        "version": VERSION,
        "seed": seed,
        "names": fit_names(labelled),
        "words": write_wording(fit_wording(labelled, examples)),
        "bags": write_bags(fit_bags(examples)),
        "kinds": {
            kind: write_forest(as_forest(kinds, PAGE_FEATURES, place, len(KINDS)))
            for place, kind in enumerate(KINDS)
        },
        "blocks": {
            name: write_forest(as_forest(booster, BLOCK_COLUMNS))
            for name, booster in fit_blocks(labelled, seed).items()
        },
        "exits": {name: write_exits(those) for name, those in exits.items()},
        "stretches": write_forest(as_forest(stretches, STRETCH_FEATURES)),
        "judge": write_forest(as_forest(judge, JUDGE_FEATURES)),
        "article": write_calibration(*judged),
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
