"""The tables of the five papers on labelled pages of one's own, each in its own layout.

The pages of the papers cannot be had any more; what can be had is the same table of other pages.
A module per paper makes its tables; `departures` has one row per reading of a paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab.evaluate.reproduce import bte, naive_bayes, pvalue, ttr, wffte
from scrapy_webtext.lab.evaluate.reproduce.departures import departures
from scrapy_webtext.lab.evaluate.reproduce.layout import Corpus, PaperTable, Reproduction

#: Paper, by the name of its extractor -> what makes its tables on a corpus.
PAPERS: Final[Mapping[str, Callable[[Corpus, int], list[PaperTable]]]] = {
    "pvalue": pvalue.tables,
    "bte": bte.tables,
    "ttr": ttr.tables,
    "naive_bayes": naive_bayes.tables,
    "wffte": wffte.tables,
}


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


__all__ = ["PAPERS", "Corpus", "PaperTable", "Reproduction", "check", "departures", "reproduce"]
