"""What each reading and each departure from a paper is worth on labelled pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from statistics import mean
from typing import Any, Final

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.evaluate.metrics import Unit, shingle_overlap, word_overlap
from scrapy_webtext.lab.evaluate.reproduce.layout import Corpus, PaperTable
from scrapy_webtext.lab.evaluate.run import unit_of
from scrapy_webtext.lab.evaluate.systems import parse_spec, split_specs
from scrapy_webtext.lab.evaluate.tables import Cells
from scrapy_webtext.lab.train.naive_bayes import cross_validate_all
from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor

#: Paper -> the readings of it, the first the default; each other one departs from it in what is
#: written, or is the letter and what departs from that.
DEPARTURES: Final[Mapping[str, str]] = {
    "pvalue": (
        "pvalue,pvalue:attributes=none,pvalue:whitespace=literal,pvalue:entities=source,"
        "pvalue:forms=removed,pvalue:empty=dropped,pvalue:reading=paper,"
        "pvalue:reading=paper,empty=dropped"
    ),
    "bte": (
        "bte,bte:words=spaces,bte:segment_chars=1,bte:segment_chars=2,bte:segment_chars=3,"
        "bte:segment_chars=5,bte:hidden=read,bte:tags=source,bte:plateaus=2,bte:plateaus=3,"
        "bte:reading=paper"
    ),
    "ttr": (
        "ttr,ttr:lines=blocks,ttr:lines=source,ttr:characters=ascii,ttr:edges=zeros,"
        "ttr:lines=source,whitespace=literal,ttr:lines=source,removed=scripts,ttr:reading=paper,"
        "ttr:clustering=prediction,ttr:clustering=prediction,window=5,ttr:clustering=kmeans,"
        "ttr:clustering=em,ttr:clustering=farthest_first,"
        "ttr:clustering=farthest_first,max_clusters=4"
    ),
    "naive_bayes": (
        "naive_bayes,naive_bayes:block_tags=paper,naive_bayes:block_tags=table,"
        "naive_bayes:denoising=paper,naive_bayes:nested=affiliated,naive_bayes:outside=none,"
        "naive_bayes:punctuation=all,naive_bayes:observation=blocks,naive_bayes:levels=single,"
        "naive_bayes:smoothing=0,naive_bayes:priors=trained,naive_bayes:fallback=none,"
        "naive_bayes:reading=paper,naive_bayes:reading=paper,nested=own,"
        "naive_bayes:reading=paper,levels=single,naive_bayes:reading=paper,priors=trained"
    ),
    "wffte": (
        "wffte,wffte:content=own,wffte:content=contained,wffte:min_link_words=1,"
        "wffte:noise=paper,wffte:outside=none,wffte:looks=style,wffte:merging=distance,"
        "wffte:coordinate=equation,wffte:path_distance=equation,wffte:stop_words=kept,"
        "wffte:segmenter=bigrams,wffte:reading=paper,wffte:reading=paper,coordinate=equation,"
        "wffte:reading=paper,path_distance=equation"
    ),
}
#: Folds of the cross-validation of naive Bayes, over all corpora together, grouped by domain.
FOLDS: Final = 5

#: Number of the corpus, page, and its text by each reading.
Found = tuple[int, LabelledPage, list[str]]


def departures(paper: str, corpora: Sequence[Corpus]) -> PaperTable:
    """Return word F1 by reading and corpus; shingle F1 for corpora scored by characters."""
    specs = split_specs(DEPARTURES[paper])
    if paper == "naive_bayes":
        found, note = _cross_validated(specs, corpora), "Cross-validated, grouped by domain. "
    else:
        found, note = _extracted(specs, corpora), ""
    units = [unit_of(page.text for page in corpus.labelled[:50]) for corpus in corpora]
    columns = []
    for n, group in groupby(found, key=lambda row: row[0]):
        scores = [[_f1(text, page, units[n]) for text in texts] for _, page, texts in group]
        columns.append([f"{mean(values):.4f}" for values in zip(*scores, strict=True)])
    rows = [[spec, *values] for spec, *values in zip(specs, *columns, strict=True)]
    by_chars = [c.name for c, unit in zip(corpora, units, strict=True) if unit == "chars"]
    if by_chars:
        note += f"By 4-character shingles: {', '.join(by_chars)}."
    head = ["word F1", *(corpus.name for corpus in corpora)]
    return PaperTable(f"Readings of {paper}", Cells(head, rows), note.strip())


def _extracted(specs: Sequence[str], corpora: Sequence[Corpus]) -> Iterator[Found]:
    extractors = [make_extractor(spec.name, spec.options) for spec in map(parse_spec, specs)]
    for n, corpus in enumerate(corpora):
        for page in corpus.labelled:
            parsed = parse(page.html, url=page.url)
            yield n, page, [extractor.extract(parsed).text for extractor in extractors]


def _cross_validated(specs: Sequence[str], corpora: Sequence[Corpus]) -> Iterator[Found]:
    options: list[Mapping[str, Any]] = [parse_spec(spec).options for spec in specs]
    numbered = [(n, page) for n, corpus in enumerate(corpora) for page in corpus.labelled]
    results = cross_validate_all(lambda: [page for _, page in numbered], options, FOLDS)
    for (n, _), (page, texts) in zip(numbered, results, strict=True):
        yield n, page, texts


def _f1(text: str, page: LabelledPage, unit: Unit) -> float:
    if unit == "chars":
        return shingle_overlap(text, page.text, unit).f1
    return word_overlap(text, page.text).f1
