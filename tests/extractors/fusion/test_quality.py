"""A gate: on the block features of some real pages, scores may rise, not fall.

The sample holds numbers derived from labelled pages (features, words, words that are gold), no
text. The pages are few: the figure says whether something broke, not how good ``fusion`` is.
"""

import gzip
import json
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from scrapy_webtext.extractors.fusion.model import block_probabilities, load_fusion
from scrapy_webtext.extractors.fusion.selection import ARTICLE_THRESHOLD, best_threshold

SAMPLE = Path(__file__).parents[2] / "data" / "fusion_blocks.json.gz"
PAGES: list[dict[str, Any]] = json.loads(gzip.decompress(SAMPLE.read_bytes()))

#: Raise them when a model does better.
FLOORS = {"article": 0.975, "other": 0.89}


def f1(page: dict[str, Any]) -> float:
    model, article = load_fusion(), page["page"]["is_article"]
    probabilities = block_probabilities(model.forest([article]), page["columns"], page["page"])
    best = best_threshold(probabilities, page["words"])
    threshold = ARTICLE_THRESHOLD * article + best * (1 - article)
    chosen = [k for k, p in enumerate(probabilities) if p >= threshold]
    matched = sum(page["matched"][k] for k in chosen)
    return 2 * matched / (sum(page["words"][k] for k in chosen) + page["gold_words"])


@pytest.mark.parametrize("kind", sorted(FLOORS))
def test_the_sample_is_chosen_from_as_well_as_before(kind: str) -> None:
    pages = [page for page in PAGES if (page["type"] == "article") == (kind == "article")]
    assert mean(map(f1, pages)) >= FLOORS[kind]
