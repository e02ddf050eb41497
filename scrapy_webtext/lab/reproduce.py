"""The tables of the five papers, in the layout of each paper, on other labelled pages.

The pages of the papers are no longer available. The papers are Lv et al. 2017 ("P value"), Finn et
al. 2001 (body text extraction), Wang et al. 2013 (naive Bayes), Wang, Wei (WFFTE), and Weninger,
Hsu 2008 (text-to-tag ratio).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean, mean, median
from typing import Any, Final, TypeVar

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors import ttr
from scrapy_webtext.extractors.bte import BodyTextExtractor
from scrapy_webtext.lab import Table, metrics, percent, resource
from scrapy_webtext.lab.corpus import Corpus, LabelledPage
from scrapy_webtext.lab.evaluation import ExtractorScore, score_extractors, score_judges
from scrapy_webtext.lab.systems import parse_spec
from scrapy_webtext.lab.train_naive_bayes import cross_validate
from scrapy_webtext.page import parse

#: Sources (sites) of a corpus that have a row of their own.
MOST_SOURCES: Final = 10
#: The row of all pages together.
ALL: Final = "all"

_DATA: Final = json.loads(resource("papers.json"))
#: Paper -> row or column of its tables -> system.
_SYSTEMS: Final[Mapping[str, Mapping[str, str]]] = _DATA["systems"]
#: Table -> title, head and note.
_LAYOUTS: Final[Mapping[str, Mapping[str, Any]]] = _DATA["tables"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The tables of one paper on one corpus."""

    paper: str
    corpus: str
    pages: int
    tables: tuple[Table, ...]

    def __str__(self) -> str:
        head = f"# {self.paper} on {self.corpus}: {self.pages} pages with a gold text"
        return "\n\n".join([head, *map(str, self.tables)]) + "\n"


def reproduce(
    papers: Sequence[str], corpora: Sequence[Corpus], *, processes: int = 1
) -> Iterator[Reproduction]:
    """Yield the tables of each paper on each corpus.

    CorpusError, before any work, for a corpus without gold texts, or with a single one if the paper
    needs two pages. MissingExtraError if a table needs an extra.
    """
    for corpus in corpora:
        if not corpus.labelled:
            raise CorpusError(f"No page of {corpus.name} has a gold text to compare with")
        if "naive_bayes" in papers and len(corpus.labelled) < _HALVES:
            raise CorpusError(
                f"naive_bayes is trained on half of the pages, and {corpus.name} has one; give two"
            )
    for paper in papers:
        for corpus in corpora:
            tables = tuple(PAPERS[paper](corpus, processes))
            yield Reproduction(paper, corpus.name, len(corpus.labelled), tables)


def by_source(pages: Sequence[LabelledPage], values: Sequence[T]) -> Mapping[str, list[T]]:
    """Return the values of pages by site, for the sites with most pages, then all values.

    A site needs two pages for its own row. Sites with equal numbers are in the order of the pages.
    """
    counts = Counter(page.domain for page in pages)
    names = [name for name, count in counts.most_common(MOST_SOURCES) if count > 1]
    found: dict[str, list[T]] = {name: [] for name in names if len(counts) > 1}
    for page, value in zip(pages, values, strict=True):
        if page.domain in found:
            found[page.domain].append(value)
    return {**found, ALL: list(values)}


#: Unit -> note on precision and recall.
_COUNTED_BY: Final = {"words": "By words.", "chars": "By 4-character shingles."}


def _table(name: str, rows: Sequence[Sequence[str]], **values: object) -> Table:
    """Return a table in its layout; values fill in its title and note."""
    layout = _LAYOUTS[name]
    title, note = (layout.get(part, "").format(**values) for part in ("title", "note"))
    return Table(layout["head"], rows, title, note)


def _scored(corpus: Corpus, paper: str, processes: int) -> list[tuple[str, ExtractorScore]]:
    """Return the name of each row of a paper with the scores of its system."""
    systems = _SYSTEMS[paper]
    scores = score_extractors(corpus.labelled, list(systems.values()), processes=processes)
    return list(zip(systems, scores, strict=True))


# Lv et al. 2017: tables 1 to 3, and whether "P equals the probability".

_THRESHOLD: Final = 0.5


def _pvalue(corpus: Corpus, processes: int) -> list[Table]:
    """Return the paper's tables on a corpus; the third if types of pages are known."""
    compared, accurate = [], []
    for name, score in _scored(corpus, "pvalue", processes):
        overlaps = score.overlaps
        compared.append([name, corpus.name, *map(percent, metrics.mean_overlap(overlaps))])
        counts = (len(overlaps), sum(one.is_accurate for one in overlaps))
        accurate.append([name, *map(str, counts), percent(metrics.accurate_ratio(overlaps))])
    unit = _COUNTED_BY[score.unit]
    found = [_table("compared", compared, unit=unit), _table("accurate", accurate)]
    systems = _SYSTEMS["judges"]
    judges = score_judges(corpus.pages, list(systems.values()), processes=processes)
    judged = {name: score.judged for name, score in zip(systems, judges, strict=True)}
    return [*found, _classification(judged), _calibration(judged)] if judges[0].pages else found


#: Judge -> probability and label of each page.
_Judged = Mapping[str, Sequence[tuple[float, bool]]]


def _classification(judged: _Judged) -> Table:
    upper, lower, accuracy = [f"P>={_THRESHOLD}"], [f"P<{_THRESHOLD}"], ["accuracy ratio"]
    for pairs in judged.values():
        table = metrics.confusion(pairs, _THRESHOLD)
        upper += [f"{table.true_positives}", f"{table.false_positives}"]
        lower += [f"{table.false_negatives}", f"{table.true_negatives}"]
        kinds = {is_article for _, is_article in pairs}
        area = f"AUC {metrics.area_under_roc(pairs):.3f}" if len(kinds) == 2 else "-"
        accuracy += [percent(table.accuracy), area]
    return _table("classified", [upper, lower, accuracy], pages=table.pages)


def _calibration(judged: _Judged) -> Table:
    rows = [[f"{n / 10:.1f} to {(n + 1) / 10:.1f}"] for n in range(10)]
    errors = []
    for name, pairs in judged.items():
        curve = metrics.calibration(pairs)
        for row, part in zip(rows, curve, strict=True):
            known = (f"{part.probability:.2f}", percent(part.article_share))
            row += [f"{part.pages}", *(known if part.pages else "--")]
        errors.append(f"{name} {metrics.calibration_error(curve):.3f}")
    return _table("calibration", rows, errors=", ".join(errors))


# Finn et al. 2001: the curve of tags of a page, and its plateau.

#: Points of the curve of Fig. 3.
_POINTS: Final = 20


def _bte(corpus: Corpus, processes: int) -> list[Table]:
    """Return the numbers of Fig. 3 for a page of a corpus, and how well the body is found."""
    scored = _scored(corpus, "bte", processes)
    rows = [[name, *map(percent, metrics.mean_overlap(s.overlaps))] for name, s in scored]
    body = _table("body", rows, unit=_COUNTED_BY[scored[0][1].unit])
    return [body] if corpus.example is None else [_curve(corpus.example), body]


def _curve(page: LabelledPage) -> Table:
    """Return the cumulative distribution of tags at points of the page, and its plateau."""
    extractor = BodyTextExtractor(reading="paper")
    parsed = parse(page.html, url=page.url)
    (signal,) = extractor.signals(parsed)
    n = len(signal.values)
    places = sorted({round(point * (n - 1) / _POINTS) for point in range(_POINTS + 1)}) if n else []
    inside = frozenset(signal.selected)
    rows = [
        [f"{place}", f"{signal.values[place]:.0f}", "body" if place in inside else ""]
        for place in places
    ]
    plateau = "no words"
    if signal.selected:
        i, j, tags = signal.selected[0], signal.selected[-1], signal.values[-1]
        t = extractor.extract(parsed).score * n
        plateau = f"N = {n} tokens, {tags:.0f} of them tags; i = {i}, j = {j}, T(i, j) = {t:.0f}"
    return _table("curve", rows, page=page.id, plateau=plateau)


# Weninger, Hsu 2008: tables 1 to 4, and Fig. 5.

#: Fig. 5: coefficients of the standard deviation.
_COEFFICIENTS: Final = tuple(step / 4 for step in range(9))


def _ttr(corpus: Corpus, processes: int) -> list[Table]:
    """Return the paper's tables on a corpus and the numbers of its Fig. 5."""
    clustered = _SYSTEMS["ttr"]
    swept = {
        f"{coefficient}": [
            f"ttr:reading={reading},coefficient={coefficient}" for reading in ("paper", "modern")
        ]
        for coefficient in _COEFFICIENTS
    }
    systems = [*clustered.values(), *chain.from_iterable(swept.values())]
    scores = score_extractors(corpus.labelled, systems, measures="all", processes=processes)
    pages = {score.extractor: score.pages for score in scores}

    def statistics(system: str, measure: str) -> list[str]:
        values = [page.characters[measure] for page in pages[system]]
        perfect = f"{values.count(1.0)} of {len(values)}"
        return [percent(mean(values)), percent(median(values)), perfect]

    def means(systems: Iterable[str], *measures: str) -> list[str]:
        return [statistics(system, measure)[0] for system in systems for measure in measures]

    found = [] if corpus.example is None else [_clusters(corpus.example)]
    for measure in ("lcs_recall", "edit_distance_ratio"):
        rows = [[name, *statistics(system, measure)] for name, system in clustered.items()]
        found.append(_table(measure, rows))
    saved = ("space_saved", "space_saved_compressed")
    rows = [[name, *means([system], *saved)] for name, system in clustered.items()]
    likeness = ("lcs_recall", "edit_distance_ratio")
    sweep = [[name, *means(systems, *likeness)] for name, systems in swept.items()]
    return [*found, _table("saved", rows), _table("sweep", sweep)]


def _clusters(page: LabelledPage) -> Table:
    """Return table 1: the clusters of one page by k-means, with one to three clusters."""
    extractor = ttr.TextToTagRatioExtractor(reading="paper")
    parsed = parse(page.html, url=page.url)
    ratios = extractor.ratios(ttr.lines_of(parsed, "paper")).smoothed
    cluster = ttr.cluster_function("kmeans")
    rows = []
    for clusters in range(1, min(3, len(set(ratios))) + 1):
        labels = list(cluster(ratios, clusters))
        means = sorted(
            fmean(ratio for ratio, label in zip(ratios, labels, strict=True) if label == one)
            for one in set(labels)
        )
        hits = ttr.high_clusters(ratios, labels)
        rows.append([f"{clusters}", " ".join(f"{m:.2f}" for m in means), f"{len(hits)}"])
    deviation = ttr.standard_deviation(ratios)
    return _table("clusters", rows, page=page.id, lines=len(ratios), deviation=deviation)


# Wang et al. 2013: tables 2 and 3.

#: The paper trains on half of its pages and tests on the other half; here each half is tested.
_HALVES: Final = 2


def _naive_bayes(corpus: Corpus, processes: int) -> list[Table]:  # noqa: ARG001 (one is enough)
    """Return the paper's tables on a corpus; CorpusError for one page."""
    systems = _SYSTEMS["naive_bayes"]
    options = [parse_spec(system).options for system in systems.values()]
    results = list(cross_validate(corpus.labelled, options, _HALVES))
    found = []
    for n, title in enumerate(systems):
        column = [metrics.losses(texts[n], page.text) for page, texts in results]
        rows = []
        for source, own in by_source(corpus.labelled, column).items():
            excellent, good, poor = metrics.grades(own).values()
            rates = (excellent / len(own), (excellent + good) / len(own))
            numbers = (len(own), excellent, good, poor)
            rows.append([source, *map(str, numbers), *(f"{100 * rate:.0f}%" for rate in rates)])
        found.append(_table("grades", rows, title=title))
    return found


# Wang, Wei (WFFTE): tables II and III, with the peers that the paper describes.


def _wffte(corpus: Corpus, processes: int) -> list[Table]:
    """Return the paper's tables on a corpus."""
    found = []
    accuracy: dict[str, list[str]] = defaultdict(list)
    for name, score in _scored(corpus, "wffte", processes):
        rows = []
        for source, own in by_source(corpus.labelled, score.overlaps).items():
            pages, correct, complete = counted = metrics.completeness(own)
            rates = (f"{100 * counted.accuracy:.1f}", f"{100 * counted.completeness:.1f}")
            rows.append([source, f"{pages}", f"{correct}", rates[0], f"{complete}", rates[1]])
            accuracy[source].append(rates[0])
        found.append(_table("complete", rows, system=name))
    rows = [[source, *rates] for source, rates in accuracy.items()]
    return [*found[:2], _table("peers", rows)]


#: Paper, by the name of its extractor -> function that returns its tables on a corpus.
PAPERS: Final[Mapping[str, Callable[[Corpus, int], list[Table]]]] = {
    "pvalue": _pvalue,
    "bte": _bte,
    "ttr": _ttr,
    "naive_bayes": _naive_bayes,
    "wffte": _wffte,
}
