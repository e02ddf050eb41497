"""The tables of the five papers on labelled pages of one's own, each in its own layout.

The pages of the papers cannot be had any more; what can be had is the same table of other pages:
of Lv et al. 2017 ("P value"), Finn et al. 2001 (body text extraction), Wang et al. 2013 (naive
Bayes), Wang, Wei (WFFTE), and Weninger, Hsu 2008 (`reproduce_ttr`). `departures` has one row per
reading of a paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import mean
from typing import Any, Final, TypeVar

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.bte import BodyTextExtractor
from scrapy_webtext.lab import metrics, reproduce_ttr
from scrapy_webtext.lab.corpus import Corpus, LabelledPage
from scrapy_webtext.lab.metrics import Losses, Overlap, Unit
from scrapy_webtext.lab.scores import (
    ExtractorScore,
    JudgeScore,
    score_extractors,
    score_judges,
    unit_of,
)
from scrapy_webtext.lab.systems import parse_spec, split_specs
from scrapy_webtext.lab.tables import Table, percent
from scrapy_webtext.lab.train_naive_bayes import cross_validate_all
from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor

#: Sources (sites) of a corpus that have a row of their own.
MOST_SOURCES: Final = 10
#: The row of all pages together.
ALL: Final = "all"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What is printed of one paper on one corpus."""

    paper: str
    corpus: str
    pages: int
    tables: tuple[Table, ...]
    example: LabelledPage | None = None  #: the page that stands for the one of the figures

    def __str__(self) -> str:
        head = f"# {self.paper} on {self.corpus}: {self.pages} pages with a gold text"
        return "\n\n".join([head, *map(str, self.tables)]) + "\n"


def reproduce(
    paper: str, corpora: Sequence[Corpus], *, processes: int = 1, with_departures: bool = False
) -> Iterator[Reproduction]:
    """Yield the tables of a paper on each corpus, and last those of its readings if asked for.

    CorpusError as `check` has it; MissingExtraError where a table needs an extra.
    """
    check(paper, corpora)
    for corpus in corpora:
        tables = tuple(PAPERS[paper](corpus, processes))
        yield Reproduction(paper, corpus.name, len(corpus.labelled), tables, corpus.example)
    if with_departures:
        names = ", ".join(corpus.name for corpus in corpora)
        pages = sum(len(corpus.labelled) for corpus in corpora)
        yield Reproduction(paper, names, pages, (departures(paper, corpora),))


def check(paper: str, corpora: Sequence[Corpus]) -> None:
    """Raise CorpusError for a corpus without gold texts, or of one site where it takes two."""
    for corpus in corpora:
        if not corpus.labelled:
            raise CorpusError(f"No page of {corpus.name} has a gold text to compare with")
        if paper == "naive_bayes" and len({page.domain for page in corpus.labelled}) < 2:
            raise CorpusError(
                f"All pages of {corpus.name} are of one site: naive_bayes is trained on other "
                f"sites than it is tested on; give pages of two sites or more"
            )


def by_source(pages: Sequence[LabelledPage], values: Sequence[T]) -> Mapping[str, list[T]]:
    """Return the values of pages by their site, those of the sites with most pages, then all.

    A site needs two pages for a row of its own. Of equally many pages the first comes first.
    """
    counts = Counter(page.domain for page in pages)
    names = [name for name, count in counts.most_common(MOST_SOURCES) if count > 1]
    found: dict[str, list[T]] = {name: [] for name in names if len(counts) > 1}
    for page, value in zip(pages, values, strict=True):
        if page.domain in found:
            found[page.domain].append(value)
    return {**found, ALL: list(values)}


def _counted_by(unit: Unit) -> str:
    """Return by what precision and recall are counted, as a sentence."""
    return "By words." if unit == "words" else "By 4-character shingles."


def _scored(
    corpus: Corpus, systems: Mapping[str, str], processes: int
) -> list[tuple[str, ExtractorScore]]:
    """Return the name of each row with the scores of its system."""
    scores = score_extractors(corpus.labelled, list(systems.values()), processes=processes)
    return list(zip(systems, scores, strict=True))


# Lv et al. 2017: tables 1 to 3, and whether "P equals the probability".

#: Row -> system.
_PVALUE: Final = {
    "CTD": "cetd",
    "P value, the letter": "pvalue:reading=paper",
    "P value, modern": "pvalue",
}
#: Column -> judge.
_JUDGES: Final = {
    "the letter": "pvalue:reading=paper",
    "modern": "pvalue",
}
_THRESHOLD: Final = 0.5


def _pvalue(corpus: Corpus, processes: int) -> list[Table]:
    """Return the paper's tables on a corpus; the third where types of pages are known."""
    scored = _scored(corpus, _PVALUE, processes)
    rows = [[name, corpus.name, *map(percent, score.overlap)] for name, score in scored]
    compared = Table(
        ["Algorithm", "Dataset", "Precision", "Recall", "F1 score"],
        rows,
        "Table 1. Result compare between CTD and P value algorithm",
        f"{_counted_by(scored[0][1].unit)} Means over pages. CTD is by composite text density.",
    )
    rows = []
    for name, score in scored:
        accurate = sum(page.overlap.is_accurate for page in score.pages)
        rows.append([name, f"{len(score.pages)}", f"{accurate}", percent(score.accurate_ratio)])
    head = "Algorithm|Number of all the pages|Number of accurately extracted pages|Accuracy ratio"
    found = [compared, Table(head.split("|"), rows, "Table 2. Accuracy testing result")]
    judged = score_judges(corpus.pages, list(_JUDGES.values()), processes=processes)
    if judged[0].pages:
        by_name = dict(zip(_JUDGES, judged, strict=True))
        found += [_classification(by_name), _calibration(by_name)]
    return found


def _classification(judged: Mapping[str, JudgeScore]) -> Table:
    head = [""]
    upper, lower, accuracy = [f"P>={_THRESHOLD}"], [f"P<{_THRESHOLD}"], ["accuracy ratio"]
    for name, score in judged.items():
        table = score.confusion(_THRESHOLD)
        head += [f"Have article ({name})", "Don't have"]
        upper += [f"{table.true_positives}", f"{table.false_positives}"]
        lower += [f"{table.false_negatives}", f"{table.true_negatives}"]
        kinds = {page.is_article for page in score.pages}
        area = f"AUC {score.area_under_roc:.3f}" if len(kinds) == 2 else "-"
        accuracy += [percent(table.accuracy), area]
    return Table(
        head,
        [upper, lower, accuracy],
        "Table 3. Classification result",
        f"{table.pages} pages whose type is known; those of type article have one.",
    )


def _calibration(judged: Mapping[str, JudgeScore]) -> Table:
    head = ["P value"]
    rows = [[f"{n / 10:.1f} to {(n + 1) / 10:.1f}"] for n in range(10)]
    errors = []
    for name, score in judged.items():
        curve = metrics.calibration((p.probability, p.is_article) for p in score.pages)
        head += [f"pages ({name})", "mean P", "have article"]
        for row, part in zip(rows, curve, strict=True):
            known = (f"{part.probability:.2f}", percent(part.article_share))
            row += [f"{part.pages}", *(known if part.pages else "--")]
        errors.append(f"{name} {metrics.calibration_error(curve):.3f}")
    title = 'Calibration: "P value of a web page is equal to the probability" of a main text area'
    return Table(head, rows, title, f"Mean difference: {', '.join(errors)}.")


# Finn et al. 2001: the curve of tags of a page, and its plateau.

_BTE: Final = {"the letter": "bte:reading=paper", "modern": "bte"}
#: Points of the curve of Fig. 3.
_POINTS: Final = 20


def _bte(corpus: Corpus, processes: int) -> list[Table]:
    """Return the numbers of Fig. 3 for a page of a corpus, and how well the body is found."""
    found = [] if corpus.example is None else [_curve(corpus.example)]
    scored = _scored(corpus, _BTE, processes)
    rows = [[name, *map(percent, score.overlap)] for name, score in scored]
    head = ["reading", "precision", "recall", "F1"]
    title = "The body as it was found (the paper has no table)"
    return [*found, Table(head, rows, title, _counted_by(scored[0][1].unit))]


def _curve(page: LabelledPage) -> Table:
    """The cumulative distribution of tags at points of the page, the ends of the plateau told."""
    extractor = BodyTextExtractor(reading="paper")
    parsed = parse(page.html, url=page.url)
    tokens = extractor.tokens(parsed)
    (signal,) = extractor.signals(parsed)
    n = len(signal.values)
    places = sorted({round(point * (n - 1) / _POINTS) for point in range(_POINTS + 1)}) if n else []
    inside = frozenset(signal.selected)
    rows = [
        [f"{place}", f"{signal.values[place]:.0f}", "body" if place in inside else ""]
        for place in places
    ]
    note = f"Page {page.id}: no words."
    if signal.selected:
        i, j = signal.selected[0], signal.selected[-1]
        gain = extractor.plateau(tokens).gain
        note = (
            f"Page {page.id}: N = {n} tokens, {tokens.tags} of them tags; i = {i}, j = {j}, "
            f"T(i, j) = {tokens.tags + gain}."
        )
    title = "Figure 3. The cumulative distribution of tags, as a function of the position"
    return Table(["position", "tags so far", ""], rows, title, note)


# Wang et al. 2013: tables 2 and 3.

#: Title -> parameters of the extractor.
_NAIVE_BAYES: Final[dict[str, dict[str, Any]]] = {
    "Table 2. Algorithm experimental results, the letter": {"reading": "paper"},
    "Table 2, modern": {},
    "Table 3. <table> to block web page, the letter": {
        "reading": "paper",
        "block_tags": "table",
    },
    "Table 3, modern": {"block_tags": "table"},
}
#: The paper trains on half of its pages and tests on the other half; here each half is tested.
_HALVES: Final = 2


def _naive_bayes(corpus: Corpus, processes: int) -> list[Table]:  # noqa: ARG001 (one is enough)
    """Return the paper's tables on a corpus; CorpusError where all pages are of one domain."""
    labelled, options = corpus.labelled, list(_NAIVE_BAYES.values())
    columns: list[list[Losses]] = [[] for _ in options]
    for page, texts in cross_validate_all(lambda: labelled, options, folds=_HALVES):
        for column, text in zip(columns, texts, strict=True):
            column.append(metrics.losses(text, page.text))
    head = "web page source|web page number|excellent|good|poor|excellent rate(%)|good rate(%)"
    note = "Trained on half of the domains, tested on the other half, and the other way round."
    found = []
    for title, column in zip(_NAIVE_BAYES, columns, strict=True):
        rows = []
        for source, own in by_source(labelled, column).items():
            counted = metrics.grades(own)
            numbers = (len(own), counted.excellent, counted.good, counted.poor)
            rates = (counted.excellent_rate, counted.good_rate)
            rows.append([source, *map(str, numbers), *(f"{100 * rate:.0f}%" for rate in rates)])
        found.append(Table(head.split("|"), rows, title, note))
    return found


# Wang, Wei (WFFTE): tables II and III, with the peers that it names as far as it tells of them.

#: Column -> system.
_WFFTE: Final = {
    "WFFTE, the letter": "wffte:reading=paper",
    "WFFTE, modern": "wffte",
    "LORI": "lori",
    "SUN": "sun",
}
#: What the paper leaves open of its peers.
_PEERS: Final = (
    "Accuracy rate (%). LORI and SUN are named, not described: LORI is taken for Song and Wu "
    "(2007), whose three features the paper lists, by the value of its own equation 4; SUN for "
    "Sun and Guan (2004), by the number of words outside links, of Chinese that of characters. "
    "What Zhou et al. (2009) do afterwards is not told."
)


def _wffte(corpus: Corpus, processes: int) -> list[Table]:
    """Return the paper's tables on a corpus."""
    head = (
        "Page source|Total number of pages|Correct number of extractions|Accuracy rate (%)|"
        "Number of complete extractions|Complete rate (%)"
    )
    found, accuracy = [], []
    for name, score in _scored(corpus, _WFFTE, processes):
        overlaps: list[Overlap] = [page.overlap for page in score.pages]
        rows, column = [], {}
        for source, own in by_source(corpus.labelled, overlaps).items():
            counted = metrics.completeness(own)
            column[source] = f"{100 * counted.accuracy:.1f}"
            complete = f"{100 * counted.completeness:.1f}"
            counts = (f"{counted.pages}", f"{counted.correct}", column[source])
            rows.append([source, *counts, f"{counted.complete}", complete])
        found.append(Table(head.split("|"), rows, f"Table II. Experimental results, {name}"))
        accuracy.append(column)
    rows = [[source, *(column[source] for column in accuracy)] for source in accuracy[0]]
    return [*found[:2], Table(["Web source", *_WFFTE], rows, "Table III. Comparison", _PEERS)]


#: Paper, by the name of its extractor -> what makes its tables on a corpus.
PAPERS: Final[Mapping[str, Callable[[Corpus, int], list[Table]]]] = {
    "pvalue": _pvalue,
    "bte": _bte,
    "ttr": reproduce_ttr.tables,
    "naive_bayes": _naive_bayes,
    "wffte": _wffte,
}

#: Paper -> its readings and the choices that it names, the first the default.
DEPARTURES: Final[Mapping[str, str]] = {
    "pvalue": "pvalue,pvalue:reading=paper",
    "bte": "bte,bte:reading=paper",
    "ttr": (
        "ttr,ttr:reading=paper,ttr:clustering=prediction,ttr:clustering=kmeans,ttr:clustering=em,"
        "ttr:clustering=farthest_first"
    ),
    "naive_bayes": (
        "naive_bayes,naive_bayes:block_tags=table,naive_bayes:priors=trained,"
        "naive_bayes:reading=paper,naive_bayes:reading=paper,priors=trained"
    ),
    "wffte": "wffte,wffte:segmenter=bigrams,wffte:reading=paper",
}
#: Folds of the cross-validation of naive Bayes, over all corpora together, grouped by domain.
_FOLDS: Final = 5

#: Number of the corpus, page, and its text by each reading.
_Found = tuple[int, LabelledPage, list[str]]


def departures(paper: str, corpora: Sequence[Corpus]) -> Table:
    """Return word F1 by reading and corpus; shingle F1 for corpora scored by characters."""
    specs = split_specs(DEPARTURES[paper])
    if paper == "naive_bayes":
        found, note = _cross_validated(specs, corpora), "Cross-validated, grouped by domain. "
    else:
        found, note = _extracted(specs, corpora), ""
    units = [unit_of(page.text for page in corpus.labelled[:50]) for corpus in corpora]
    columns = []
    for n, group in groupby(found, key=lambda row: row[0]):
        scores = [
            [metrics.text_f1(text, page.text, units[n]) for text in texts]
            for _, page, texts in group
        ]
        columns.append([f"{mean(values):.4f}" for values in zip(*scores, strict=True)])
    rows = [[spec, *values] for spec, *values in zip(specs, *columns, strict=True)]
    by_chars = [c.name for c, unit in zip(corpora, units, strict=True) if unit == "chars"]
    if by_chars:
        note += f"By 4-character shingles: {', '.join(by_chars)}."
    head = ["word F1", *(corpus.name for corpus in corpora)]
    return Table(head, rows, f"Readings of {paper}", note.strip())


def _extracted(specs: Sequence[str], corpora: Sequence[Corpus]) -> Iterator[_Found]:
    extractors = [make_extractor(spec.name, spec.options) for spec in map(parse_spec, specs)]
    for n, corpus in enumerate(corpora):
        for page in corpus.labelled:
            parsed = parse(page.html, url=page.url)
            yield n, page, [extractor.extract(parsed).text for extractor in extractors]


def _cross_validated(specs: Sequence[str], corpora: Sequence[Corpus]) -> Iterator[_Found]:
    options: list[Mapping[str, Any]] = [parse_spec(spec).options for spec in specs]
    numbered = [(n, page) for n, corpus in enumerate(corpora) for page in corpus.labelled]
    results = cross_validate_all(lambda: [page for _, page in numbered], options, _FOLDS)
    for (n, _), (page, texts) in zip(numbered, results, strict=True):
        yield n, page, texts
