"""Scores as tables: Markdown that is aligned, so that it reads in a terminal too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from scrapy_webtext.lab.evaluate.scores import ExtractorScore, JudgeScore


class Cells(NamedTuple):
    """The cells of a table."""

    head: list[str]
    rows: list[list[str]]


def extractor_table(scores: Sequence[ExtractorScore]) -> str:
    """Return the table of several extractors on one corpus."""
    return table(*extractor_cells(scores))


def extractor_cells(scores: Sequence[ExtractorScore]) -> Cells:
    """Return the cells of `extractor_table`; segments where the labels name any."""
    has_segments = any(value is not None for score in scores for value in score.segments)
    head = "extractor|word F1|precision|recall|shingle F1|accurate|"
    head += "kept|left|" if has_segments else ""
    head += "ms median|ms mean|errors"
    rows = [
        [
            score.extractor,
            f"{score.overlap.f1:.4f}",
            f"{score.overlap.precision:.3f}",
            f"{score.overlap.recall:.3f}",
            f"{score.shingle_f1:.4f}",
            f"{score.accurate_ratio:.3f}",
            *(_known(value) for value in score.segments if has_segments),
            f"{1e3 * score.median_seconds:.1f}",
            f"{1e3 * score.mean_seconds:.1f}",
            f"{len(score.errors)}",
        ]
        for score in scores
    ]
    return Cells(head.split("|"), rows)


def paper_table(scores: Sequence[ExtractorScore]) -> str:
    """Return the table of the slower measures; the scores must have them."""
    return table(*paper_cells(scores))


def paper_cells(scores: Sequence[ExtractorScore]) -> Cells:
    """Return the cells of `paper_table`."""
    head = (
        "extractor|LCS|EDR|space saved|compressed|excellent|good|poor|correct|complete of correct"
    )
    rows = []
    for score in scores:
        papers, grades, completeness = score.papers, score.grades, score.completeness
        rows.append(
            [
                score.extractor,
                f"{mean(p.lcs_recall for p in papers):.3f}",
                f"{mean(p.edit_distance_ratio for p in papers):.3f}",
                f"{mean(p.space_saved for p in papers):.3f}",
                f"{mean(p.space_saved_compressed for p in papers):.3f}",
                f"{grades.excellent}",
                f"{grades.good}",
                f"{grades.poor}",
                f"{completeness.accuracy:.3f}",
                f"{completeness.completeness:.3f}",
            ]
        )
    return Cells(head.split("|"), rows)


def type_table(scores: Sequence[ExtractorScore]) -> str:
    """Return the table of word F1 by type of page."""
    return table(*type_cells(scores))


def type_cells(scores: Sequence[ExtractorScore]) -> Cells:
    """Return the cells of `type_table`."""
    kinds = sorted({page.type for score in scores for page in score.pages})
    rows = []
    for score in scores:
        by_type = score.f1_by_type()
        rows.append([score.extractor, *(f"{by_type[kind]:.3f}" for kind in kinds)])
    return Cells(["extractor", *(kind or "(none)" for kind in kinds)], rows)


def corpora_table(scores: Mapping[str, Sequence[ExtractorScore]]) -> str:
    """Return the table of word F1 by corpus; every corpus has the same extractors."""
    columns = [[f"{score.overlap.f1:.3f}" for score in column] for column in scores.values()]
    names = [score.extractor for score in next(iter(scores.values()))]
    rows = [[name, *values] for name, *values in zip(names, *columns, strict=True)]
    return table(["word F1", *scores], rows)


def judge_table(scores: Sequence[JudgeScore], threshold: float = 0.5) -> str:
    """Return the table of several judges on the same pages."""
    return table(*judge_cells(scores, threshold))


def judge_cells(scores: Sequence[JudgeScore], threshold: float = 0.5) -> Cells:
    """Return the cells of `judge_table`."""
    head = "judge|pages|articles|recall|false positives|precision|accuracy|AUC|ms median"
    rows = []
    for score in scores:
        counted = score.confusion(threshold)
        rows.append(
            [
                score.judge,
                f"{counted.pages}",
                f"{counted.true_positives + counted.false_negatives}",
                f"{counted.recall:.3f}",
                f"{counted.false_positive_rate:.3f}",
                f"{counted.precision:.3f}",
                f"{counted.accuracy:.3f}",
                f"{score.area_under_roc:.3f}",
                f"{1e3 * score.median_seconds:.1f}",
            ]
        )
    return Cells(head.split("|"), rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_line(cells, widths) for cells in (head, rule, *rows))


def _known(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = cells
    aligned = [first.ljust(widths[0])]
    aligned += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
    return f"| {' | '.join(aligned)} |"
