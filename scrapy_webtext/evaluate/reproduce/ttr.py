"""Tables 1 to 4 and Fig. 5 of Weninger, Hsu 2008."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, mean, median
from typing import Final

from scrapy_webtext.corpus import LabelledPage
from scrapy_webtext.evaluate.reproduce.layout import Corpus, PaperTable, percent
from scrapy_webtext.evaluate.run import ExtractorScore, score_extractors
from scrapy_webtext.evaluate.tables import Cells
from scrapy_webtext.extractors.ttr import TextToTagRatioExtractor
from scrapy_webtext.extractors.ttr.clustering import (
    cluster_function,
    high_clusters,
    standard_deviation,
)
from scrapy_webtext.page import parse

#: Row -> value of the parameter ``clustering``.
CLUSTERINGS: Final = {
    "KMeans": "kmeans",
    "EM": "em",
    "Farthest First": "farthest_first",
    "Threshold": "threshold",
    "Prediction": "prediction",
}
READINGS: Final = {"the letter": "paper", "modern": "modern"}
#: Fig. 5: coefficients of the standard deviation.
COEFFICIENTS: Final = tuple(step / 4 for step in range(9))


def tables(corpus: Corpus, processes: int) -> list[PaperTable]:
    """Return the paper's tables on a corpus and the numbers of its Fig. 5."""
    found = [] if corpus.example is None else [_clusters(corpus.example)]
    rows = {
        f"{name}, {said}": f"ttr:reading={reading},clustering={clustering}"
        for said, reading in READINGS.items()
        for name, clustering in CLUSTERINGS.items()
    }
    scores = _scores(corpus, list(rows.values()), processes)
    named = list(zip(rows, scores, strict=True))
    lcs = [[name, *_row([p.lcs_recall for p in s.papers])] for name, s in named]
    edr = [[name, *_row([p.edit_distance_ratio for p in s.papers])] for name, s in named]
    head = ["Clustering", "Mean", "Median", "Perfect matches"]
    saved = [
        [
            name,
            percent(mean(p.space_saved for p in s.papers)),
            percent(mean(p.space_saved_compressed for p in s.papers)),
        ]
        for name, s in named
    ]
    return [
        *found,
        PaperTable("Table 2. LCS (recall)", Cells(head, lcs)),
        PaperTable("Table 3. EDR (precision)", Cells(head, edr)),
        PaperTable(
            "Table 4. Space savings",
            Cells(["Clustering", "HTML to text", "both compressed"], saved),
        ),
        _sweep(corpus, processes),
    ]


def _scores(corpus: Corpus, systems: Sequence[str], processes: int) -> tuple[ExtractorScore, ...]:
    return score_extractors(corpus.labelled, systems, measures="all", processes=processes)


def _row(values: Sequence[float]) -> list[str]:
    perfect = sum(value == 1.0 for value in values)
    return [percent(mean(values)), percent(median(values)), f"{perfect} of {len(values)}"]


def _sweep(corpus: Corpus, processes: int) -> PaperTable:
    systems = [
        f"ttr:reading={reading},coefficient={coefficient}"
        for reading in READINGS.values()
        for coefficient in COEFFICIENTS
    ]
    scores = iter(_scores(corpus, systems, processes))
    columns = [[next(scores) for _ in COEFFICIENTS] for _ in READINGS]
    rows = [
        [
            f"{coefficient}",
            *(
                percent(mean(values))
                for column in columns
                for values in (
                    [p.lcs_recall for p in column[n].papers],
                    [p.edit_distance_ratio for p in column[n].papers],
                )
            ),
        ]
        for n, coefficient in enumerate(COEFFICIENTS)
    ]
    head = ["Standard deviations"]
    for said in READINGS:
        head += [f"LCS ({said})", "EDR"]
    return PaperTable("Figure 5. LCS and EDR as the threshold increases", Cells(head, rows))


def _clusters(page: LabelledPage) -> PaperTable:
    """Table 1: what k-means makes of one page, with one to three clusters."""
    extractor = TextToTagRatioExtractor(reading="paper")
    parsed = parse(page.html, url=page.url)
    ratios = extractor.ratios(parsed, extractor.lines_of(parsed)).smoothed
    cluster = cluster_function("kmeans", 0)
    rows = []
    for clusters in range(1, min(3, len(set(ratios))) + 1):
        labels = list(cluster(ratios, clusters))
        means = sorted(
            fmean(ratio for ratio, label in zip(ratios, labels, strict=True) if label == one)
            for one in set(labels)
        )
        hits = high_clusters(ratios, labels)
        rows.append([f"{clusters}", " ".join(f"{m:.2f}" for m in means), f"{len(hits)}"])
    return PaperTable(
        "Table 1. K-means clusters of one page",
        Cells(["Clusters", "Means", "Hits"], rows),
        f"Page {page.id}, {len(ratios)} lines of source; a hit is a cluster whose mean is above "
        f"the standard deviation, {standard_deviation(ratios):.2f}.",
    )
