"""Tables 1 to 4 and Fig. 5 of Weninger, Hsu 2008."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from statistics import fmean, mean, median
from typing import Final, NamedTuple, TypeVar

from scrapy_webtext.extractors.ttr import (
    TextToTagRatioExtractor,
    cluster_function,
    high_clusters,
    lines_of,
    standard_deviation,
)
from scrapy_webtext.lab import metrics
from scrapy_webtext.lab.corpus import Corpus, LabelledPage
from scrapy_webtext.lab.scores import in_order
from scrapy_webtext.lab.systems import parse_spec
from scrapy_webtext.lab.tables import Table, percent
from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor
from scrapy_webtext.results import Extractor

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


T = TypeVar("T")


class Likeness(NamedTuple):
    """LCS as recall and EDR as precision of one text."""

    lcs: float
    edr: float


class Measured(NamedTuple):
    """All of the paper's measures of one text."""

    lcs: float
    edr: float
    saved: float
    saved_compressed: float


def tables(corpus: Corpus, processes: int) -> list[Table]:
    """Return the paper's tables on a corpus and the numbers of its Fig. 5."""
    systems = {
        f"{name}, {said}": f"ttr:reading={reading},clustering={clustering}"
        for said, reading in READINGS.items()
        for name, clustering in CLUSTERINGS.items()
    }
    columns = _columns(corpus, list(systems.values()), _all_of, processes)
    lcs, edr, saved = [], [], []
    for name, column in zip(systems, columns, strict=True):
        lcs.append([name, *_row([m.lcs for m in column])])
        edr.append([name, *_row([m.edr for m in column])])
        means = mean(m.saved for m in column), mean(m.saved_compressed for m in column)
        saved.append([name, *map(percent, means)])
    head = ["Clustering", "Mean", "Median", "Perfect matches"]
    of_bytes = ["Clustering", "HTML to text", "both compressed"]
    return [
        *([] if corpus.example is None else [_clusters(corpus.example)]),
        Table(head, lcs, "Table 2. LCS (recall)"),
        Table(head, edr, "Table 3. EDR (precision)"),
        Table(of_bytes, saved, "Table 4. Space savings"),
        _sweep(corpus, processes),
    ]


def _likeness_of(text: str, page: LabelledPage) -> Likeness:
    return Likeness(
        metrics.lcs_recall(text, page.text), metrics.edit_distance_ratio(text, page.text)
    )


def _all_of(text: str, page: LabelledPage) -> Measured:
    return Measured(
        *_likeness_of(text, page),
        metrics.space_saved(page.html, text),
        metrics.space_saved_compressed(page.html, text),
    )


def _columns(
    corpus: Corpus,
    systems: Sequence[str],
    measure: Callable[[str, LabelledPage], T],
    processes: int,
) -> list[list[T]]:
    """Per system, what is measured of its texts of all pages."""
    work = partial(_measured, systems=tuple(systems), measure=measure)
    rows = in_order(work, corpus.labelled, processes)
    return [list(column) for column in zip(*rows, strict=True)]


def _measured(
    page: LabelledPage, *, systems: tuple[str, ...], measure: Callable[[str, LabelledPage], T]
) -> list[T]:
    """Per system, what is measured of its text of a page; equal texts are measured once."""
    parsed = parse(page.html, url=page.url)
    texts = [extractor.extract(parsed).text for extractor in _extractors(systems)]
    known = {text: measure(text, page) for text in dict.fromkeys(texts)}
    return [known[text] for text in texts]


@cache
def _extractors(systems: tuple[str, ...]) -> tuple[Extractor, ...]:
    return tuple(make_extractor(spec.name, spec.options) for spec in map(parse_spec, systems))


def _row(values: Sequence[float]) -> list[str]:
    perfect = sum(value == 1.0 for value in values)
    return [percent(mean(values)), percent(median(values)), f"{perfect} of {len(values)}"]


def _sweep(corpus: Corpus, processes: int) -> Table:
    systems = [
        f"ttr:reading={reading},coefficient={coefficient}"
        for coefficient in COEFFICIENTS
        for reading in READINGS.values()
    ]
    found = iter(_columns(corpus, systems, _likeness_of, processes))
    rows = []
    for coefficient in COEFFICIENTS:
        row = [f"{coefficient}"]
        for _ in READINGS:
            column = next(found)
            row += [percent(mean(m.lcs for m in column)), percent(mean(m.edr for m in column))]
        rows.append(row)
    head = ["Standard deviations"]
    for said in READINGS:
        head += [f"LCS ({said})", "EDR"]
    return Table(head, rows, "Figure 5. LCS and EDR as the threshold increases")


def _clusters(page: LabelledPage) -> Table:
    """Table 1: what k-means makes of one page, with one to three clusters."""
    extractor = TextToTagRatioExtractor(reading="paper")
    parsed = parse(page.html, url=page.url)
    ratios = extractor.ratios(lines_of(parsed, "paper")).smoothed
    cluster = cluster_function("kmeans")
    rows = []
    for clusters in range(1, min(3, len(set(ratios))) + 1):
        labels = list(cluster(ratios, clusters))
        means = sorted(
            fmean(ratio for ratio, label in zip(ratios, labels, strict=True) if label == one)
            for one in set(labels)
        )
        hits = high_clusters(ratios, labels)
        rows.append([f"{clusters}", " ".join(f"{m:.2f}" for m in means), f"{len(hits)}"])
    return Table(
        ["Clusters", "Means", "Hits"],
        rows,
        "Table 1. K-means clusters of one page",
        f"Page {page.id}, {len(ratios)} lines of source; a hit is a cluster whose mean is above "
        f"the standard deviation, {standard_deviation(ratios):.2f}.",
    )
