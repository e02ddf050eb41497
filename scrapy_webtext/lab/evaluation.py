"""An evaluation of several corpora: made, and shown as tables or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab.corpus import LabelledPage, corpus_path, read_corpora, thinned
from scrapy_webtext.lab.scores import (
    ExtractorScore,
    JudgeScore,
    Measures,
    PageScore,
    score_extractors,
    score_judges,
)
from scrapy_webtext.lab.systems import split_specs
from scrapy_webtext.lab.tables import corpora_table, corpus_tables, judge_table
from scrapy_webtext.log_text import shown
from scrapy_webtext.registry import EXTRACTORS

#: Reads the pages of corpora.
Read = Callable[[Sequence[Path]], Iterable[LabelledPage]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that was asked for."""

    corpora: dict[str, tuple[ExtractorScore, ...]]  #: by the name that was given
    judges: tuple[JudgeScore, ...]
    threshold: float  #: of the judges
    every: int  #: each page whose place is a multiple of it was scored


def evaluate(
    corpora: Sequence[str],
    extractors: str | None = None,
    judges: str | None = None,
    *,
    threshold: float = 0.5,
    measures: Measures = "all",
    processes: int = 1,
    every: int = 1,
    read: Read = read_corpora,
) -> Evaluation:
    """Return the scores; without a word on extractors or judges, of all built-in extractors.

    Corpora go by path or name, systems by lists as `split_specs` reads them. CorpusError for a
    corpus without pages to score, others as in `scores`.
    """
    if extractors is None and judges is None:
        extractors = ",".join(EXTRACTORS)
    paths = {name: corpus_path(name) for name in corpora}
    scores = {}
    for name, path in paths.items() if extractors is not None else ():
        scores[name] = score_extractors(
            thinned(read([path]), every),
            split_specs(extractors or ""),
            measures=measures,
            processes=processes,
        )
        if not scores[name][0].pages:
            raise CorpusError(f"No page of {name} has a gold text to compare with")
    judged: tuple[JudgeScore, ...] = ()
    if judges is not None:
        pages = thinned(read(list(paths.values())), every)
        judged = score_judges(pages, split_specs(judges), processes=processes)
        if not judged[0].pages:
            raise CorpusError("No page has a type: judges are scored on pages whose type is known")
    return Evaluation(scores, judged, threshold, every)


def as_tables(evaluation: Evaluation) -> str:
    """Return the tables of an evaluation."""
    parts: list[object] = []
    for corpus, scores in evaluation.corpora.items():
        unit = "" if scores[0].unit == "words" else ", by 4-character shingles"
        parts.append(f"# {corpus}: {len(scores[0].pages)} pages{unit}")
        parts += corpus_tables(scores)
        parts += [
            f"{score.extractor} on {shown(page.id)}: {shown(page.error)}"
            for score in scores
            for page in score.errors[:3]
        ]
    if len(evaluation.corpora) > 1:
        parts.append(corpora_table(evaluation.corpora))
    if evaluation.judges:
        parts.append(f"# Judges, threshold {evaluation.threshold:g}")
        parts.append(judge_table(evaluation.judges, evaluation.threshold))
    return "\n\n".join(map(str, parts)) + "\n"


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation as JSON takes it, the scores of every page included."""
    return {
        "corpora": [
            {"corpus": name, "unit": scores[0].unit, "extractors": list(map(_extractor, scores))}
            for name, scores in evaluation.corpora.items()
        ],
        "judges": [_judge(score, evaluation.threshold) for score in evaluation.judges],
    }


def _extractor(score: ExtractorScore) -> dict[str, Any]:
    found: dict[str, Any] = {
        "extractor": score.extractor,
        **score.overlap._asdict(),
        "shingle_f1": score.shingle_f1,
        "accurate_ratio": score.accurate_ratio,
        "segments": score.segments._asdict(),
        "seconds_median": score.median_seconds,
        "seconds_mean": score.mean_seconds,
        "errors": len(score.errors),
        "f1_by_type": score.f1_by_type(),
    }
    if score.papers:
        names = ("lcs_recall", "edit_distance_ratio", "space_saved", "space_saved_compressed")
        found |= {name: mean(getattr(page, name) for page in score.papers) for name in names}
        found["grades"] = asdict(score.grades)
        found["accuracy"] = score.completeness.accuracy
        found["completeness"] = score.completeness.completeness
    return found | {"pages": [_page(page) for page in score.pages]}


def _page(page: PageScore) -> dict[str, Any]:
    known = {"id": page.id, "url": page.url, "type": page.type}
    return known | page.overlap._asdict() | {"seconds": page.seconds, "error": page.error}


def _judge(score: JudgeScore, threshold: float) -> dict[str, Any]:
    counted = score.confusion(threshold)
    shares = ("recall", "false_positive_rate", "precision", "accuracy")
    return {
        "judge": score.judge,
        "threshold": threshold,
        **asdict(counted),
        **{name: getattr(counted, name) for name in shares},
        "area_under_roc": score.area_under_roc,
        "seconds_median": score.median_seconds,
    }
