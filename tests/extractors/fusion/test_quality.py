"""Scores on the block features of some real pages must not fall.

The sample holds numbers derived from labelled pages (features, words, words that are gold), no
text. The pages are few: the figure says whether something broke, not how good ``fusion`` is.
"""

import gzip
import json
from array import array
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from scrapy_webtext.extractors.fusion.features.context import (
    Groups,
    best_threshold,
    context_columns,
    context_constants,
)
from scrapy_webtext.extractors.fusion.features.units import Units, unit_means
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import block_probabilities, third_pass
from scrapy_webtext.lab.corpus import LabelledPage
from tests.extractors.fusion import sample

SAMPLE = Path(__file__).parents[2] / "data" / "fusion_blocks.json.gz"
PAGES: list[dict[str, Any]] = json.loads(gzip.decompress(SAMPLE.read_bytes()))

#: Raise them when a model does better.
FLOORS = {"article": 0.961, "other": 0.880}


def f1(page: dict[str, Any]) -> float:
    model, constants = load_fusion(), page["page"]
    columns = {name: array("d", values) for name, values in page["columns"].items()}
    units = Units(**{name: array("q", column) for name, column in page["units"].items()})
    blocks = Groups(**page["groups"], units=units)
    first = block_probabilities(model.first, columns, constants)
    columns = {**columns, **context_columns(blocks, first)}
    constants = {**constants, **context_constants(blocks, first)}
    probabilities = block_probabilities(model.second, columns, constants)
    if page["type"] == "article":
        means = unit_means(units, blocks.words, probabilities)
        probabilities = third_pass(model.third, units, means, probabilities, columns, constants)
    threshold = best_threshold(probabilities, blocks.words)
    chosen = [k for k, p in enumerate(probabilities) if p > threshold]
    matched = sum(page["matched"][k] for k in chosen)
    return 2 * matched / (sum(page["words"][k] for k in chosen) + page["gold_words"])


@pytest.mark.parametrize("kind", sorted(FLOORS))
def test_the_sample_is_chosen_from_as_well_as_before(kind: str) -> None:
    pages = [page for page in PAGES if (page["type"] == "article") == (kind == "article")]
    assert mean(map(f1, pages)) >= FLOORS[kind]


def test_the_sample_can_be_made_again() -> None:
    sentence = "The harbour was quiet on the morning the boats came back, said the mayor."
    html = f"<h1>Boats</h1><p>{sentence}</p><p>{sentence} Twice.</p><ul><li>Home</li></ul>"
    row = sample.row(LabelledPage("1", html, f"{sentence}\n{sentence} Twice.", type="article"))
    assert f1(json.loads(json.dumps(row))) > 0.8
