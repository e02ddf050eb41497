"""Tables 1 to 3 of Lv et al. 2017, and whether "P equals the probability"."""

from __future__ import annotations

from typing import Final

from scrapy_webtext.lab.evaluate import metrics
from scrapy_webtext.lab.evaluate.reproduce.layout import Corpus, PaperTable, counted_by, percent
from scrapy_webtext.lab.evaluate.run import score_extractors, score_judges
from scrapy_webtext.lab.evaluate.scores import JudgeScore
from scrapy_webtext.lab.evaluate.tables import Cells

#: Row -> system.
ALGORITHMS: Final = {
    "CTD": "cetd",
    "P value, the letter": "pvalue:reading=paper",
    "P value, modern": "pvalue",
}
#: Column -> judge.
JUDGES: Final = {
    "the letter": "pvalue:reading=paper",
    "the authors' code": "pvalue:reading=paper,empty=dropped",
    "modern": "pvalue",
}
THRESHOLD: Final = 0.5


def tables(corpus: Corpus, processes: int) -> list[PaperTable]:
    """Return the paper's tables on a corpus; the third where types of pages are known."""
    found = _extraction(corpus, processes)
    judged = score_judges(corpus.pages, list(JUDGES.values()), processes=processes)
    if judged[0].pages:
        found += [_classification(judged), _calibration(judged)]
    return found


def _extraction(corpus: Corpus, processes: int) -> list[PaperTable]:
    scores = score_extractors(corpus.labelled, list(ALGORITHMS.values()), processes=processes)
    means = [(name, s.overlap) for name, s in zip(ALGORITHMS, scores, strict=True)]
    rows = [
        [name, corpus.name, percent(o.precision), percent(o.recall), percent(o.f1)]
        for name, o in means
    ]
    compared = PaperTable(
        "Table 1. Result compare between CTD and P value algorithm",
        Cells(["Algorithm", "Dataset", "Precision", "Recall", "F1 score"], rows),
        f"{counted_by(scores[0].unit)} Means over pages. CTD is by composite text density.",
    )
    rows = []
    for name, score in zip(ALGORITHMS, scores, strict=True):
        accurate = sum(page.overlap.is_accurate for page in score.pages)
        rows.append([name, f"{len(score.pages)}", f"{accurate}", percent(score.accurate_ratio)])
    head = "Algorithm|Number of all the pages|Number of accurately extracted pages|Accuracy ratio"
    counted = PaperTable("Table 2. Accuracy testing result", Cells(head.split("|"), rows))
    return [compared, counted]


def _classification(judged: tuple[JudgeScore, ...]) -> PaperTable:
    head = [""]
    upper, lower, accuracy = [f"P>={THRESHOLD}"], [f"P<{THRESHOLD}"], ["accuracy ratio"]
    for name, score in zip(JUDGES, judged, strict=True):
        table = score.confusion(THRESHOLD)
        head += [f"Have article ({name})", "Don't have"]
        upper += [f"{table.true_positives}", f"{table.false_positives}"]
        lower += [f"{table.false_negatives}", f"{table.true_negatives}"]
        kinds = {page.is_article for page in score.pages}
        area = f"AUC {score.area_under_roc:.3f}" if len(kinds) == 2 else "-"
        accuracy += [percent(table.accuracy), area]
    return PaperTable(
        "Table 3. Classification result",
        Cells(head, [upper, lower, accuracy]),
        f"{len(judged[0].pages)} pages whose type is known; those of type article have one.",
    )


def _calibration(judged: tuple[JudgeScore, ...]) -> PaperTable:
    head = ["P value"]
    columns = []
    errors = []
    for name, score in zip(JUDGES, judged, strict=True):
        curve = metrics.calibration((p.probability, p.is_article) for p in score.pages)
        head += [f"pages ({name})", "mean P", "have article"]
        columns.append(
            [
                [f"{b.pages}", f"{b.probability:.2f}", percent(b.article_share)]
                if b.pages
                else ["0", "-", "-"]
                for b in curve
            ]
        )
        errors.append(f"{name} {metrics.calibration_error(curve):.3f}")
    rows = [
        [f"{n / 10:.1f} to {(n + 1) / 10:.1f}", *(cell for column in columns for cell in column[n])]
        for n in range(10)
    ]
    return PaperTable(
        'Calibration: "P value of a web page is equal to the probability" of a main text area',
        Cells(head, rows),
        f"Mean difference: {', '.join(errors)}.",
    )
