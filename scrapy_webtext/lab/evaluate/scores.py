"""Scores of extractors and judges on a corpus: one row per page, and their means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import mean, median
from typing import Final

from scrapy_webtext.lab.evaluate import metrics
from scrapy_webtext.lab.evaluate.metrics import Confusion, Losses, Overlap, Segments, Unit

#: The type of the pages that have an article.
ARTICLE: Final = "article"

_NO_SEGMENTS: Final = Segments()


@dataclass(frozen=True, slots=True)
class PaperMeasures:
    """The slower measures of one page; each is described in `metrics`."""

    lcs_recall: float
    edit_distance_ratio: float
    space_saved: float
    space_saved_compressed: float
    losses: Losses


@dataclass(frozen=True, slots=True)
class PageScore:
    """The score of one system on one page."""

    id: str
    url: str | None
    type: str
    overlap: Overlap  #: of words; of 4-character shingles where characters are the unit
    shingles: Overlap  #: of 4-shingles of the unit
    seconds: float  #: CPU time of parsing and extraction
    error: str = ""  #: what the system raised; empty if nothing
    segments: Segments = _NO_SEGMENTS
    papers: PaperMeasures | None = None


@dataclass(frozen=True, slots=True)
class ExtractorScore:
    """The scores of one system on one corpus."""

    extractor: str  #: as it was written, with its options
    unit: Unit
    pages: tuple[PageScore, ...]  #: in the order of the corpus; those with a gold text

    @property
    def overlap(self) -> Overlap:
        """Means of precision, recall and F1 of words over the pages."""
        return metrics.mean_overlap([page.overlap for page in self.pages])

    @property
    def shingle_f1(self) -> float:
        """F1 of mean precision and mean recall of 4-shingles."""
        return metrics.pooled_f1([page.shingles for page in self.pages])

    @property
    def accurate_ratio(self) -> float:
        """Share of the pages whose precision, recall and F1 are all above 0.95."""
        return metrics.accurate_ratio([page.overlap for page in self.pages])

    @property
    def completeness(self) -> metrics.Completeness:
        """Counts of correctly and completely extracted pages."""
        return metrics.completeness(page.overlap for page in self.pages)

    @property
    def papers(self) -> tuple[PaperMeasures, ...]:
        """The slower measures of the pages; empty if they were not asked for."""
        return tuple(page.papers for page in self.pages if page.papers)

    @property
    def segments(self) -> Segments:
        """Means over the pages that name segments; None where no page does."""
        columns = zip(*(page.segments for page in self.pages), strict=True)
        means = [_mean_of_known(column) for column in columns]
        return Segments(*means)

    @property
    def grades(self) -> metrics.Grades:
        """How many pages are excellent, good and poor."""
        return metrics.grades(page.losses for page in self.papers)

    @property
    def median_seconds(self) -> float:
        """Median time of a page; 0 without pages."""
        return median(page.seconds for page in self.pages) if self.pages else 0.0

    @property
    def mean_seconds(self) -> float:
        """Mean time of a page; 0 without pages."""
        return mean(page.seconds for page in self.pages) if self.pages else 0.0

    @property
    def errors(self) -> tuple[PageScore, ...]:
        """The pages on which the system raised."""
        return tuple(page for page in self.pages if page.error)

    def f1_by_type(self) -> dict[str, float]:
        """Return mean word F1 per type of page, types in alphabetical order."""
        by_type = defaultdict(list)
        for page in self.pages:
            by_type[page.type].append(page.overlap.f1)
        return {page_type: mean(values) for page_type, values in sorted(by_type.items())}

    def worst(self, count: int) -> list[PageScore]:
        """Return the pages with the lowest word F1, the worst first."""
        return sorted(self.pages, key=lambda page: page.overlap.f1)[:count]


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """The judgement of one judge on one page."""

    id: str
    type: str
    probability: float
    p_value: float
    seconds: float  #: CPU time of parsing and judging

    @property
    def is_article(self) -> bool:
        """Whether the page has an article, by its label."""
        return self.type == ARTICLE


@dataclass(frozen=True, slots=True)
class JudgeScore:
    """The judgements of one judge on a corpus, or on several together."""

    judge: str  #: as it was written, with its options
    pages: tuple[JudgedPage, ...]  #: in the order of the corpus; those with a type

    def confusion(self, threshold: float = 0.5) -> Confusion:
        """Return the table of judgements and labels."""
        return metrics.confusion(self._judged(), threshold)

    @property
    def area_under_roc(self) -> float:
        """How often a page with an article has a greater probability than one without."""
        return metrics.area_under_roc(self._judged())

    @property
    def median_seconds(self) -> float:
        """Median time of a page; 0 without pages."""
        return median(page.seconds for page in self.pages) if self.pages else 0.0

    def _judged(self) -> Iterator[tuple[float, bool]]:
        return ((page.probability, page.is_article) for page in self.pages)


def _mean_of_known(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None
