"""Tables 2 and 3 of WFFTE (Wang, Wei), with the peers that it names as far as it tells of them."""

from __future__ import annotations

from typing import Final

from scrapy_webtext.lab.evaluate import metrics
from scrapy_webtext.lab.evaluate.metrics import Overlap
from scrapy_webtext.lab.evaluate.reproduce.layout import Corpus, PaperTable, by_source
from scrapy_webtext.lab.evaluate.run import score_extractors
from scrapy_webtext.lab.evaluate.scores import ExtractorScore
from scrapy_webtext.lab.evaluate.tables import Cells

#: Column -> system.
ALGORITHMS: Final = {
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


def tables(corpus: Corpus, processes: int) -> list[PaperTable]:
    """Return the paper's tables on a corpus."""
    scores = score_extractors(corpus.labelled, list(ALGORITHMS.values()), processes=processes)
    own = list(zip(ALGORITHMS, scores, strict=True))
    found = [
        PaperTable(f"Table II. Experimental results, {name}", _complete(corpus, score))
        for name, score in own[:2]
    ]
    columns = [_by_source(corpus, score) for score in scores]
    rows = [
        [source, *(f"{100 * metrics.completeness(c[source]).accuracy:.1f}" for c in columns)]
        for source in columns[0]
    ]
    head = ["Web source", *ALGORITHMS]
    return [*found, PaperTable("Table III. Comparison", Cells(head, rows), _PEERS)]


def _by_source(corpus: Corpus, score: ExtractorScore) -> dict[str, list[Overlap]]:
    return dict(by_source(corpus.labelled, [page.overlap for page in score.pages]))


def _complete(corpus: Corpus, score: ExtractorScore) -> Cells:
    head = (
        "Page source|Total number of pages|Correct number of extractions|Accuracy rate (%)|"
        "Number of complete extractions|Complete rate (%)"
    )
    rows = []
    for source, overlaps in _by_source(corpus, score).items():
        counted = metrics.completeness(overlaps)
        rows.append(
            [
                source,
                f"{counted.pages}",
                f"{counted.correct}",
                f"{100 * counted.accuracy:.1f}",
                f"{counted.complete}",
                f"{100 * counted.completeness:.1f}",
            ]
        )
    return Cells(head.split("|"), rows)
