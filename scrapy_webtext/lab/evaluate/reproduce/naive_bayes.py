"""Tables 2 and 3 of Wang et al. 2013."""

from __future__ import annotations

from typing import Any, Final

from scrapy_webtext.lab.evaluate import metrics
from scrapy_webtext.lab.evaluate.metrics import Losses
from scrapy_webtext.lab.evaluate.reproduce.layout import Corpus, PaperTable, by_source
from scrapy_webtext.lab.evaluate.tables import Cells
from scrapy_webtext.lab.train.naive_bayes import cross_validate_all

#: Title -> parameters of the extractor. On pages without tables the letter has no block by
#: <table> alone; text outside of all blocks then makes one in both, which favours the baseline.
ALGORITHMS: Final[dict[str, dict[str, Any]]] = {
    "Table 2. Algorithm experimental results, the letter": {"reading": "paper"},
    "Table 2, modern": {},
    "Table 3. <table> to block web page, the letter": {
        "reading": "paper",
        "block_tags": "table",
        "outside": "block",
    },
    "Table 3, modern": {"block_tags": "table"},
}
#: The paper trains on half of its pages and tests on the other half; here each half is tested.
FOLDS: Final = 2


def tables(corpus: Corpus, processes: int) -> list[PaperTable]:  # noqa: ARG001 (one is enough)
    """Return the paper's tables on a corpus; CorpusError where all pages are of one domain."""
    labelled = corpus.labelled
    columns: list[list[Losses]] = [[] for _ in ALGORITHMS]
    for page, texts in cross_validate_all(lambda: labelled, list(ALGORITHMS.values()), folds=FOLDS):
        for column, text in zip(columns, texts, strict=True):
            column.append(metrics.losses(text, page.text))
    note = "Trained on half of the domains, tested on the other half, and the other way round."
    return [
        PaperTable(title, _graded(corpus, column), note)
        for title, column in zip(ALGORITHMS, columns, strict=True)
    ]


def _graded(corpus: Corpus, losses: list[Losses]) -> Cells:
    head = "web page source|web page number|excellent|good|poor|excellent rate(%)|good rate(%)"
    rows = []
    for source, own in by_source(corpus.labelled, losses).items():
        counted = metrics.grades(own)
        rows.append(
            [
                source,
                f"{len(own)}",
                f"{counted.excellent}",
                f"{counted.good}",
                f"{counted.poor}",
                f"{100 * counted.excellent_rate:.0f}%",
                f"{100 * counted.good_rate:.0f}%",
            ]
        )
    return Cells(head.split("|"), rows)
