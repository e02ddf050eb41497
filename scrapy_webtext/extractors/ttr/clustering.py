"""Five ways to tell content lines from the rest by their text-to-tag ratios.

Weninger and Hsu 2008, section 4 ("clustering"). All take the ratios of the lines of a page in
order and return the indices of its content lines, ascending. The standard deviation is that of
the given ratios as a population.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from math import fsum, sqrt
from statistics import fmean
from typing import Any

from scrapy_webtext.errors import MissingExtraError

#: Ratios and a number of clusters, no greater than that of distinct ratios -> cluster per line.
Cluster = Callable[[Sequence[float], int], Sequence[int]]


def above_threshold(ratios: Sequence[float], coefficient: float) -> list[int]:
    """Lines whose ratio is at least ``coefficient`` standard deviations."""
    threshold = coefficient * standard_deviation(ratios)
    return [k for k, ratio in enumerate(ratios) if ratio >= threshold]


def by_prediction(ratios: Sequence[float], coefficient: float = 1.0, window: int = 3) -> list[int]:
    """Lines of the sections that begin with a jump of the ratio and end with a fall.

    A section begins with a line whose ratio is at least ``coefficient`` standard deviations above
    the mean of the previous ``window`` lines, and ends with one whose ratio is at least as much
    above the mean of the next ones. At the ends of the page the mean is of the lines there are,
    and that of none is 0. Meant for ratios that are not smoothed.
    """
    jump = coefficient * standard_deviation(ratios)
    chosen = []
    inside = False
    for k, ratio in enumerate(ratios):
        if not inside:
            inside = ratio - _mean(ratios[max(0, k - window) : k]) >= jump
        if inside:
            chosen.append(k)
            inside = ratio - _mean(ratios[k + 1 : k + 1 + window]) < jump
    return chosen


def by_clusters(
    ratios: Sequence[float], cluster: Cluster, coefficient: float = 1.0, max_clusters: int = 3
) -> list[int]:
    """Lines in clusters whose mean ratio is above ``coefficient`` standard deviations.

    Of 1 up to ``max_clusters`` clusters (the paper's 3 is chosen "arbitrarily"), the number that
    gives most such clusters is taken, the lower of equals. No more clusters are made than there
    are distinct ratios.
    """
    chosen: list[int] = []
    most = 0
    for clusters in range(1, min(max_clusters, len(set(ratios))) + 1):
        high = high_clusters(ratios, cluster(ratios, clusters), coefficient)
        if len(high) > most:
            most = len(high)
            chosen = sorted(k for ks in high for k in ks)
    return chosen


def high_clusters(
    ratios: Sequence[float], labels: Sequence[int], coefficient: float = 1.0
) -> list[list[int]]:
    """The lines of each cluster whose mean ratio is above so many standard deviations.

    ``labels`` has the cluster of each line.
    """
    threshold = coefficient * standard_deviation(ratios)
    members: dict[int, list[int]] = {}
    for k, label in enumerate(labels):
        members.setdefault(label, []).append(k)
    return [ks for ks in members.values() if fmean(ratios[k] for k in ks) > threshold]


def farthest_first(ratios: Sequence[float], clusters: int) -> list[int]:
    """Cluster per line: centres as far from each other as can be, lines with the nearest one.

    The first centre, arbitrary by definition (Hochbaum and Shmoys 1985; Weka draws it), is the
    first line of the page; each other one is the line farthest from all before it.
    """
    centres = [ratios[0]]
    distances = [abs(ratio - centres[0]) for ratio in ratios]
    labels = [0] * len(ratios)
    for label in range(1, clusters):
        centre = ratios[distances.index(max(distances))]
        for k, ratio in enumerate(ratios):
            distance = abs(ratio - centre)
            if distance < distances[k]:
                distances[k], labels[k] = distance, label
    return labels


def cluster_function(clustering: str, seed: int) -> Cluster:
    """Return the function behind ``"kmeans"``, ``"em"`` or ``"farthest_first"``.

    MissingExtraError for the first two where scikit-learn is not installed.
    """
    if clustering == "kmeans":
        return _k_means(seed)
    if clustering == "em":
        return _expectation_maximization(seed)
    return farthest_first


def _k_means(seed: int) -> Cluster:
    kind = _imported("kmeans", "sklearn.cluster").KMeans
    return lambda ratios, clusters: _fit(kind(clusters, n_init=4, random_state=seed), ratios)


def _expectation_maximization(seed: int) -> Cluster:
    kind = _imported("em", "sklearn.mixture").GaussianMixture

    def cluster(ratios: Sequence[float], clusters: int) -> Sequence[int]:
        if clusters == 1:  # scikit-learn wants two lines or more
            return [0] * len(ratios)
        return _fit(kind(clusters, random_state=seed), ratios)

    return cluster


def standard_deviation(ratios: Sequence[float]) -> float:
    """Standard deviation of a population; 0 for an empty one."""
    if not ratios:
        return 0.0
    # statistics.pstdev counts in fractions, at ten times the cost.
    mean = fmean(ratios)
    return sqrt(fmean([(ratio - mean) ** 2 for ratio in ratios]))  # of a list: half the cost


def _mean(ratios: Sequence[float]) -> float:
    return fsum(ratios) / len(ratios) if ratios else 0.0


def _imported(clustering: str, module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"clustering={clustering!r} of the extractor 'ttr'", "scikit-learn", "clustering"
        ) from error


def _fit(model: Any, ratios: Sequence[float]) -> Sequence[int]:
    # In one thread, since sums in the order in which threads end differ in their last digit. A
    # mixture that has not settled is no news to whoever crawls.
    with _threads().limit(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", import_module("sklearn.exceptions").ConvergenceWarning)
        labels: list[int] = model.fit_predict([[ratio] for ratio in ratios]).tolist()
    return labels


@lru_cache(maxsize=1)
def _threads() -> Any:
    """Return the switch of the thread pools that scikit-learn uses, found once."""
    return import_module("threadpoolctl").ThreadpoolController()
