"""Tables in Markdown that is aligned, so that it reads in a terminal too; those of scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import Any, Final, NamedTuple

from scrapy_webtext.lab.scores import ExtractorScore, JudgeScore


class Table(NamedTuple):
    """The cells of a table, and what stands above and below it."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    note: str = ""

    def __str__(self) -> str:
        title = f"## {self.title}" if self.title else ""
        return "\n\n".join(filter(None, [title, table(self.head, self.rows), self.note]))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_line(cells, widths) for cells in (head, rule, *rows))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = cells
    aligned = [first.ljust(widths[0])]
    aligned += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
    return f"| {' | '.join(aligned)} |"


def percent(value: float) -> str:
    """Return a share as the papers write them."""
    return f"{100 * value:.2f} %"


#: Head of a column -> the cell of a score.
Columns = Mapping[str, Callable[[Any], str]]

_EXTRACTORS: Final[Columns] = {
    "extractor": lambda score: score.extractor,
    "word F1": lambda score: f"{score.overlap.f1:.4f}",
    "precision": lambda score: f"{score.overlap.precision:.3f}",
    "recall": lambda score: f"{score.overlap.recall:.3f}",
    "shingle F1": lambda score: f"{score.shingle_f1:.4f}",
    "accurate": lambda score: f"{score.accurate_ratio:.3f}",
    "kept": lambda score: _known(score.segments.kept),
    "left": lambda score: _known(score.segments.left),
    "ms median": lambda score: f"{1e3 * score.median_seconds:.1f}",
    "ms mean": lambda score: f"{1e3 * score.mean_seconds:.1f}",
    "errors": lambda score: f"{len(score.errors)}",
}
_PAPERS: Final[Columns] = {
    "extractor": lambda score: score.extractor,
    "LCS": lambda score: f"{mean(p.lcs_recall for p in score.papers):.3f}",
    "EDR": lambda score: f"{mean(p.edit_distance_ratio for p in score.papers):.3f}",
    "space saved": lambda score: f"{mean(p.space_saved for p in score.papers):.3f}",
    "compressed": lambda score: f"{mean(p.space_saved_compressed for p in score.papers):.3f}",
    "excellent": lambda score: f"{score.grades.excellent}",
    "good": lambda score: f"{score.grades.good}",
    "poor": lambda score: f"{score.grades.poor}",
    "correct": lambda score: f"{score.completeness.accuracy:.3f}",
    "complete of correct": lambda score: f"{score.completeness.completeness:.3f}",
}


def table_of(columns: Columns, scores: Sequence[Any]) -> Table:
    """Return the table with a row per score."""
    return Table(list(columns), [[cell(score) for cell in columns.values()] for score in scores])


def corpus_tables(scores: Sequence[ExtractorScore]) -> list[Table]:
    """Return the tables of several extractors on one corpus.

    The first has columns for segments if the labels name any. The slower measures and word F1 by
    type of page follow if there are any.
    """
    has_segments = any(value is not None for score in scores for value in score.segments)
    unknown = () if has_segments else ("kept", "left")
    columns = {name: cell for name, cell in _EXTRACTORS.items() if name not in unknown}
    found = [table_of(columns, scores)]
    if scores[0].papers:
        found.append(table_of(_PAPERS, scores))
    kinds = list(scores[0].f1_by_type())
    if len(kinds) > 1:
        rows = [[s.extractor, *(f"{f1:.3f}" for f1 in s.f1_by_type().values())] for s in scores]
        found.append(Table(["extractor", *(kind or "(none)" for kind in kinds)], rows))
    return found


def corpora_table(scores: Mapping[str, Sequence[ExtractorScore]]) -> Table:
    """Return the table of word F1 by corpus; every corpus has the same extractors."""
    columns = [[f"{score.overlap.f1:.3f}" for score in column] for column in scores.values()]
    names = [score.extractor for score in next(iter(scores.values()))]
    return Table(["word F1", *scores], list(zip(names, *columns, strict=True)))


def judge_table(scores: Sequence[JudgeScore], threshold: float = 0.5) -> Table:
    """Return the table of several judges on the same pages."""
    rows = []
    for score in scores:
        counted = score.confusion(threshold)
        shares = (counted.recall, counted.false_positive_rate, counted.precision, counted.accuracy)
        rows.append(
            [
                score.judge,
                f"{counted.pages}",
                f"{counted.true_positives + counted.false_negatives}",
                *(f"{value:.3f}" for value in (*shares, score.area_under_roc)),
                f"{1e3 * score.median_seconds:.1f}",
            ]
        )
    head = "judge|pages|articles|recall|false positives|precision|accuracy|AUC|ms median"
    return Table(head.split("|"), rows)


def _known(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
