"""Scores on real pages are not lower than before.

Needs the labelled corpora (tests/conftest.py reports if they are missing). Every n-th page of each
corpus is scored as by ``scrapy webtext evaluate``.
"""

from __future__ import annotations

from itertools import islice

import pytest

from scrapy_webtext.lab.corpus import read_corpus
from scrapy_webtext.lab.evaluation import score_extractors
from tests.benchmarks import robustness
from tests.conftest import CORPORA

#: (corpus, n) -> extractor -> least word F1 (4-character shingle F1 for zh_dev), slightly below
#: the F1 that was measured when the floor was last raised.
FLOORS = {
    ("zh_dev", 1): {"pvalue": 0.88, "bte": 0.91, "ttr": 0.76, "naive_bayes": 0.94, "wffte": 0.97},
    ("newspaper4k", 6): {
        "pvalue": 0.825,
        "bte": 0.83,
        "ttr": 0.79,
        "naive_bayes": 0.865,
        "wffte": 0.87,
        "fusion": 0.93,
    },
    ("wcxb_dev", 12): {"pvalue": 0.80, "bte": 0.755, "ttr": 0.77, "wffte": 0.65, "fusion": 0.905},
}


@pytest.mark.parametrize(("corpus", "step"), FLOORS)
def test_real_pages_are_read_no_worse_than_before(corpus: str, step: int) -> None:
    floors = FLOORS[corpus, step]
    pages = islice(read_corpus(CORPORA / f"{corpus}.jsonl.gz"), None, None, step)
    scores = score_extractors(pages, list(floors))
    found = {score.extractor: round(score.summary()["f1"], 4) for score in scores}
    assert all(found[name] >= floor for name, floor in floors.items()), found
    assert not any(page.error for score in scores for page in score.pages)


#: Least means of `fusion` (`tests.benchmarks.robustness`), as above.
ROBUST = {
    ("lengths", "10 x"): 0.97,
    ("lengths", "30 x"): 0.98,
    ("lengths", "first 2"): 0.72,
    robustness.OUT: 0.94,
    robustness.RECALL: 0.98,
}


def test_long_cut_and_surrounded_pages_are_read_no_worse_than_before() -> None:
    every = list(islice(read_corpus(CORPORA / "newspaper4k.jsonl.gz"), None, None, 8))
    pages = islice(robustness.articles_of(every), None, None, 5)
    parts, others = ("lengths", "surroundings", "calm"), robustness.others_of(every)
    own = robustness.measure([*islice(pages, 8)], others, ["fusion"], parts)["fusion"]
    means = robustness.means_of(own)
    assert {key: means[key] for key, floor in ROBUST.items() if means[key] < floor} == {}
    assert max(mean for (part, _), mean in means.items() if part == "calm") <= 0.125
