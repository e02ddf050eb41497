"""Scores and papers' tables as an HTML page, with reports of some of the pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import nan
from typing import NamedTuple

from scrapy_webtext.lab import resource
from scrapy_webtext.lab.corpus import (
    LabelledPage,
    content_mask,
    corpus_path,
    read_corpus,
)
from scrapy_webtext.lab.evaluation import Evaluation, corpus_tables, judge_table
from scrapy_webtext.lab.metrics import word_overlap
from scrapy_webtext.lab.pictures import ExtractorView
from scrapy_webtext.lab.report import PageJudgement, read, render_report, render_template
from scrapy_webtext.lab.reproduce import Reproduction
from scrapy_webtext.lab.systems import TextSystem, make_system
from scrapy_webtext.lab.tables import Table
from scrapy_webtext.page import Page, parse
from scrapy_webtext.results import Extraction, Judge

#: The name under which the labels of a page stand beside its extractors.
GOLD = "gold text"

#: Name and text of a file.
File = tuple[str, str]


class PageLink(NamedTuple):
    """A page with its scores and where its report lies, relative to the overview."""

    href: str
    page: LabelledPage
    scores: Sequence[float]  #: in [0, 1], one per extractor


class Section(NamedTuple):
    """One corpus: its tables, and some of its pages, the worst by the first of the extractors."""

    title: str
    tables: Sequence[Table]
    extractors: Sequence[str] = ()
    worst: Sequence[PageLink] = ()
    pages_title: str = ""  #: what the pages are, if not the worst


def evaluation_files(
    evaluation: Evaluation, judge: Judge, threshold: float, worst: int
) -> Iterator[File]:
    """Yield the files of the folder, name and text; the overview comes last."""
    sections = []
    for number, (corpus, scores) in enumerate(evaluation.corpora.items(), 1):
        pages = islice(read_corpus(corpus_path(corpus)), None, None, evaluation.every)
        places = scores[0].worst(worst)
        labelled = {n: p for n, p in enumerate(p for p in pages if p.text) if n in places}
        systems = {score.extractor: make_system(score.extractor) for score in scores}
        links = []
        for place in places:
            name, page = f"pages/{number}-{place + 1}.html", labelled[place]
            yield name, page_report(page, systems, judge, threshold)
            f1 = [score.pages[place].overlap.f1 for score in scores]
            links.append(PageLink(name, page, f1))
        title = f"{corpus}: {len(scores[0].pages)} pages"
        sections.append(Section(title, corpus_tables(scores), list(systems), links))
    if evaluation.judges:
        found = judge_table(evaluation.judges, evaluation.threshold)
        sections.append(Section(f"Judges, threshold {evaluation.threshold:g}", [found]))
    yield "index.html", render_overview(sections)


def reproduction_files(
    found: Iterable[Reproduction], judge: Judge, threshold: float
) -> Iterator[File]:
    """Yield the files of a folder, name and text: the figures of the papers, and their tables.

    The figures (P per tag, the curve of tags, ratios by line) are in the report of one page of
    each corpus, drawn from what the letter and the modern reading saw; the tables come last.
    """
    sections = []
    for number, one in enumerate(found, 1):
        systems = {name: make_system(name) for name in (f"{one.paper}:reading=paper", one.paper)}
        links = []
        if (page := one.example) is not None:
            name = f"pages/{number}-{one.paper}.html"
            yield name, page_report(page, systems, judge, threshold)
            texts = [system.text(page.html, page.url) for system in systems.values()]
            f1 = [word_overlap(text, page.text).f1 for text in texts]
            links.append(PageLink(name, page, f1))
        title = f"{one.paper} on {one.corpus}: {one.pages} pages"
        sections.append(Section(title, one.tables, list(systems), links, "Figures, on one page"))
    yield "index.html", render_overview(sections)


def rehearse(judge: Judge, threshold: float) -> None:
    """Raise MissingExtraError where reports cannot be drawn, before hours of scoring."""
    page_report(LabelledPage(id="", html="", text=""), {}, judge, threshold)


def page_report(
    labelled: LabelledPage, systems: Mapping[str, TextSystem], judge: Judge, threshold: float
) -> str:
    """Return the report of a labelled page, its gold text first among the extractors."""
    page = parse(labelled.html, url=labelled.url)
    views = [_of_text(page, labelled.text, GOLD)]
    views += [_reading(page, labelled, name, system) for name, system in systems.items()]
    judgement = PageJudgement(judge.judge(page, threshold), threshold, judge.name)
    return render_report(page, views, judgement, next(iter(systems), GOLD))


def render_overview(sections: Sequence[Section]) -> str:
    """Return the HTML; everything in it is escaped and it runs no script."""
    style = resource("report.css") + resource("overview.css")
    return render_template("overview.html", sections=sections, style=style)


def _reading(page: Page, labelled: LabelledPage, name: str, system: TextSystem) -> ExtractorView:
    """Return what an extractor did, under its name as written; nothing where it raises."""
    try:
        if system.extractor is None:
            return _of_text(page, system.text(labelled.html, labelled.url), name)
        found = read(page, system.extractor)
        return replace(found, extraction=replace(found.extraction, extractor=name))
    except Exception:  # it is counted among the errors of the evaluation
        return ExtractorView(Extraction("", nan, name))


def _of_text(page: Page, text: str, name: str) -> ExtractorView:
    """Return a reading of the blocks that a text is made of."""
    mask = content_mask(page.blocks.text, text)
    chosen = tuple(b for b, is_content in enumerate(mask) if is_content)
    return ExtractorView(Extraction(text, nan, name, chosen))
