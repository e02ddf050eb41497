"""What Finn et al. 2001 show in figures: the curve of tags of a page, and its plateau."""

from __future__ import annotations

from typing import Final

from scrapy_webtext.extractors.bte import BodyTextExtractor
from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.evaluate.reproduce.layout import Corpus, PaperTable, counted_by, percent
from scrapy_webtext.lab.evaluate.run import score_extractors
from scrapy_webtext.lab.evaluate.tables import Cells
from scrapy_webtext.page import parse

#: Row -> system.
ALGORITHMS: Final = {"the letter": "bte:reading=paper", "modern": "bte"}
#: Points of the curve of Fig. 3.
_POINTS: Final = 20


def tables(corpus: Corpus, processes: int) -> list[PaperTable]:
    """Return the numbers of Fig. 3 for a page of a corpus, and how well the body is found."""
    found = [] if corpus.example is None else [_curve(corpus.example)]
    scores = score_extractors(corpus.labelled, list(ALGORITHMS.values()), processes=processes)
    rows = [
        [name, *(percent(value) for value in score.overlap)]
        for name, score in zip(ALGORITHMS, scores, strict=True)
    ]
    head = ["reading", "precision", "recall", "F1"]
    title = "The body as it was found (the paper has no table)"
    return [*found, PaperTable(title, Cells(head, rows), counted_by(scores[0].unit))]


def _curve(page: LabelledPage) -> PaperTable:
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
        gain = sum(plateau.gain for plateau in extractor.plateaus_of(tokens))
        note = (
            f"Page {page.id}: N = {n} tokens, {tokens.tags} of them tags; i = {i}, j = {j}, "
            f"T(i, j) = {tokens.tags + gain}."
        )
    return PaperTable(
        "Figure 3. The cumulative distribution of tags, as a function of the position",
        Cells(["position", "tags so far", ""], rows),
        note,
    )
