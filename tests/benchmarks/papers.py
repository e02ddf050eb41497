"""The tables of the five papers, in the layout of each paper, on other labelled pages.

    python -m tests.benchmarks.papers pvalue CORPUS... [--every 10]

The pages of the papers are no longer available. ``scrapy webtext evaluate`` prints most of these
figures, too, without their layout, the sites, the medians and the calibration curve.
"""

from __future__ import annotations

import argparse
import logging
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from statistics import fmean, mean, median
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from scrapy_webtext.extractors import ttr
from scrapy_webtext.extractors.bte import BodyTextExtractor
from scrapy_webtext.extractors.naive_bayes import NaiveBayesExtractor
from scrapy_webtext.lab import Table, metrics
from scrapy_webtext.lab.commands import train
from scrapy_webtext.lab.corpus import LabelledPage, corpus_path, read_corpus
from scrapy_webtext.lab.evaluation import (
    ExtractorScore,
    parse_spec,
    score_extractors,
    score_judges,
)
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import parse
from tests.kits.data import read_json
from training.examples import fold_of
from training.labels import domain_of

#: Sites that have a row of their own.
MOST_SITES: Final = 10
#: Points of the curve of body text extraction's Fig. 3.
POINTS: Final = 20
_DATA: Final = read_json(__file__, "papers.json")
#: Paper -> row or column of its tables -> system.
SYSTEMS: Final[Mapping[str, Mapping[str, str]]] = _DATA["systems"]

Pages = Sequence[LabelledPage]
T = TypeVar("T")


def laid_out(name: str, rows: Sequence[Sequence[str]], **values: object) -> str:
    """Return a table in its layout; values fill in its title and note."""
    layout = _DATA["tables"][name]
    title, note = (layout.get(part, "").format(**values) for part in ("title", "note"))
    return "\n\n".join(filter(None, [f"## {title}", str(Table(layout["head"], rows)), note]))


def by_site(pages: Pages, values: Sequence[T]) -> Mapping[str, list[T]]:
    """Return the values of the sites with most pages, two at least, then all values."""
    counts = Counter(domain_of(page) for page in pages)
    names = [name for name, count in counts.most_common(MOST_SITES) if count > 1]
    found: dict[str, list[T]] = {name: [] for name in names if len(counts) > 1}
    for page, value in zip(pages, values, strict=True):
        if domain_of(page) in found:
            found[domain_of(page)].append(value)
    return {**found, "all": list(values)}


def scored(pages: Pages, paper: str) -> list[tuple[str, ExtractorScore]]:
    systems = SYSTEMS[paper]
    return list(zip(systems, score_extractors(pages, list(systems.values())), strict=True))


def percent(value: float) -> str:
    return f"{100 * value:.2f} %"


def unit_of(score: ExtractorScore) -> str:
    return "By words." if score.unit == "words" else "By 4-character shingles."


def pvalue(labelled: Pages, pages: Pages) -> Iterator[str]:
    """Lv et al. 2017: tables 1 to 3, and whether P equals the probability."""
    found = scored(labelled, "pvalue")
    rows = [[name, *map(percent, metrics.mean_overlap(s.overlaps))] for name, s in found]
    yield laid_out("compared", rows, unit=unit_of(found[0][1]))
    counted = [(name, s.overlaps, sum(o.is_accurate for o in s.overlaps)) for name, s in found]
    rows = [[name, f"{len(o)}", f"{n}", percent(n / len(o))] for name, o, n in counted]
    yield laid_out("accurate", rows)
    judges = score_judges(pages, list(SYSTEMS["judges"].values()))
    if not judges[0].pages:
        return
    upper, lower, accuracy = ["P>=0.5"], ["P<0.5"], ["accuracy ratio"]
    curves = [[f"{n / 10:.1f} to {(n + 1) / 10:.1f}"] for n in range(10)]
    errors = []
    for name, judge in zip(SYSTEMS["judges"], judges, strict=True):
        table, curve = metrics.confusion(judge.judged), metrics.calibration(judge.judged)
        upper += [f"{table.true_positives}", f"{table.false_positives}"]
        lower += [f"{table.false_negatives}", f"{table.true_negatives}"]
        accuracy += [percent(table.accuracy), f"AUC {metrics.area_under_roc(judge.judged):.3f}"]
        for row, part in zip(curves, curve, strict=True):
            known = (f"{part.probability:.2f}", percent(part.article_share))
            row += [f"{part.pages}", *(known if part.pages else "--")]
        errors.append(f"{name} {metrics.calibration_error(curve):.3f}")
    yield laid_out("classified", [upper, lower, accuracy], pages=table.pages)
    yield laid_out("calibration", curves, errors=", ".join(errors))


def bte(labelled: Pages, _: Pages) -> Iterator[str]:
    """Finn et al. 2001: the curve of the tags of a page (Fig. 3), and scores of the body."""
    page, extractor = labelled[0], BodyTextExtractor(reading="paper")
    parsed = parse(page.html, url=page.url)
    (signal,) = extractor.signals(parsed)
    n, inside = len(signal.values), frozenset(signal.selected)
    places = sorted({round(point * (n - 1) / POINTS) for point in range(POINTS + 1)})
    rows = [[f"{k}", f"{signal.values[k]:.0f}", "body" if k in inside else ""] for k in places]
    t = extractor.extract(parsed).score * n
    ends = "no words" if not inside else f"i = {signal.selected[0]}, j = {signal.selected[-1]}"
    plateau = f"N = {n} tokens, {signal.values[-1]:.0f} of them tags; {ends}, T(i, j) = {t:.0f}"
    yield laid_out("curve", rows, page=page.id, plateau=plateau)
    found = scored(labelled, "bte")
    rows = [[name, *map(percent, metrics.mean_overlap(s.overlaps))] for name, s in found]
    yield laid_out("body", rows, unit=unit_of(found[0][1]))


def ratios(labelled: Pages, _: Pages) -> Iterator[str]:
    """Weninger, Hsu 2008: tables 1 to 4, and Fig. 5."""
    page, extractor = labelled[0], ttr.TextToTagRatioExtractor(reading="paper")
    lines = ttr.lines_of(parse(page.html, url=page.url), "paper")
    smoothed, rows = extractor.ratios(lines).smoothed, []
    for clusters in range(1, min(3, len(set(smoothed))) + 1):
        labels = ttr.cluster_function("kmeans")(smoothed, clusters)
        pairs = list(zip(smoothed, labels, strict=True))
        members = ([ratio for ratio, k in pairs if k == one] for one in {*labels})
        means = " ".join(f"{m:.2f}" for m in sorted(map(fmean, members)))
        rows.append([f"{clusters}", means, f"{len(ttr.high_clusters(smoothed, labels))}"])
    deviation = ttr.standard_deviation(smoothed)
    yield laid_out("clusters", rows, page=page.id, lines=len(smoothed), deviation=deviation)
    swept = {
        f"{step / 4}": [f"ttr:reading={r},coefficient={step / 4}" for r in ("paper", "modern")]
        for step in range(9)
    }
    systems = [*SYSTEMS["ttr"].values(), *chain.from_iterable(swept.values())]
    scores = score_extractors(labelled, systems, measures="all")
    columns = {s.extractor: [page.characters for page in s.pages] for s in scores}

    def values(system: str, measure: str) -> list[float]:
        return [characters[measure] for characters in columns[system]]

    for measure in ("lcs_recall", "edit_distance_ratio"):
        named = [(name, values(system, measure)) for name, system in SYSTEMS["ttr"].items()]
        yield laid_out(measure, [
            [name, percent(mean(v)), percent(median(v)), f"{v.count(1.0)} of {len(v)}"]
            for name, v in named
        ])  # fmt: skip
    saved = ("space_saved", "space_saved_compressed")
    likeness = ("lcs_recall", "edit_distance_ratio")
    yield laid_out("saved", [
        [name, *(percent(mean(values(system, measure))) for measure in saved)]
        for name, system in SYSTEMS["ttr"].items()
    ])  # fmt: skip
    yield laid_out("sweep", [
        [name, *(percent(mean(values(s, measure))) for s in systems for measure in likeness)]
        for name, systems in swept.items()
    ])  # fmt: skip


def naive_bayes(labelled: Pages, _: Pages) -> Iterator[str]:
    """Wang et al. 2013: tables 2 and 3, trained on half of the sites, tested on the others."""
    is_one_site = len({domain_of(page) for page in labelled}) == 1
    halves = [fold_of(page.id if is_one_site else domain_of(page), 2, seed=0) for page in labelled]
    models = []
    with TemporaryDirectory() as folder:
        for half in (0, 1):
            others = (page for page, h in zip(labelled, halves, strict=True) if h != half)
            path = Path(folder) / "model.json"
            path.write_text(dump_model(train(others)), "utf-8")
            options = [parse_spec(system)[1] for system in SYSTEMS["naive_bayes"].values()]
            models.append([NaiveBayesExtractor(model=path, **one) for one in options])
    for n, title in enumerate(SYSTEMS["naive_bayes"]):
        losses = [
            metrics.losses(models[half][n].extract(parse(page.html, url=page.url)).text, page.text)
            for page, half in zip(labelled, halves, strict=True)
        ]
        rows = []
        for site, own in by_site(labelled, losses).items():
            excellent, good, poor = metrics.grades(own).values()
            rates = (excellent / len(own), (excellent + good) / len(own))
            numbers = map(str, (len(own), excellent, good, poor))
            rows.append([site, *numbers, *(f"{100 * rate:.0f}%" for rate in rates)])
        yield laid_out("grades", rows, title=title)


def wffte(labelled: Pages, _: Pages) -> Iterator[str]:
    """Wang, Wei: tables II and III, with the peers that the paper describes."""
    accuracy: dict[str, list[str]] = defaultdict(list)
    for name, score in scored(labelled, "wffte"):
        rows = []
        for site, own in by_site(labelled, score.overlaps).items():
            pages, correct, complete = counted = metrics.completeness(own)
            rates = [f"{100 * rate:.1f}" for rate in (counted.accuracy, counted.completeness)]
            rows.append([site, f"{pages}", f"{correct}", rates[0], f"{complete}", rates[1]])
            accuracy[site].append(rates[0])
        if name.startswith("WFFTE"):
            yield laid_out("complete", rows, system=name)
    yield laid_out("peers", [[site, *rates] for site, rates in accuracy.items()])


#: Paper, by the name of its extractor -> from its labelled pages and all pages to its tables.
PAPERS: Final[Mapping[str, Callable[[Pages, Pages], Iterator[str]]]] = {
    "pvalue": pvalue, "bte": bte, "ttr": ratios, "naive_bayes": naive_bayes, "wffte": wffte,
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paper", choices=PAPERS)
    parser.add_argument("corpora", nargs="+", metavar="CORPUS")
    parser.add_argument("--every", type=int, default=1, help="take each n-th page only")
    given = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for corpus in given.corpora:
        pages = list(islice(read_corpus(corpus_path(corpus)), None, None, given.every))
        labelled = [page for page in pages if page.text.strip()]
        print(f"# {given.paper} on {corpus}: {len(labelled)} pages with a gold text\n")
        print(*PAPERS[given.paper](labelled, pages), sep="\n\n", end="\n\n")


if __name__ == "__main__":
    main()
