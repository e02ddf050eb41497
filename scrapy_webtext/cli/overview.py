"""The folder of ``scrapy webtext evaluate --report``: scores, and reports of the worst pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import nan

from scrapy_webtext.cli.evaluate import CorpusScores, Evaluation, pages_numbered
from scrapy_webtext.cli.report import read
from scrapy_webtext.lab.corpus import LabelledPage, content_mask
from scrapy_webtext.lab.evaluate import ExtractorScore, tables
from scrapy_webtext.lab.evaluate.systems import OwnSystem, TextSystem, make_system
from scrapy_webtext.lab.report import ExtractorView, PageJudgement, render_report
from scrapy_webtext.lab.report.overview import PageLink, Section, Table, render_overview
from scrapy_webtext.page import Page, parse
from scrapy_webtext.results import Extraction, Judge

#: The name under which the labels of a page stand beside its extractors.
GOLD = "gold text"


def report_files(
    evaluation: Evaluation, judge: Judge, threshold: float, worst: int
) -> Iterator[tuple[str, str]]:
    """Yield the files of the folder, name and text; the overview comes last."""
    sections = []
    for number, corpus in enumerate(evaluation.corpora, 1):
        places = worst_places(corpus.scores[0], worst)
        pages = pages_numbered(corpus.corpus, places)
        systems = {score.extractor: make_system(score.extractor) for score in corpus.scores}
        for place in places:
            html = page_report(pages[place], systems, judge, threshold)
            yield f"pages/{number}-{place + 1}.html", html
        sections.append(_section(corpus, number, places))
    if evaluation.judges:
        table = Table(*tables.judge_cells(evaluation.judges, evaluation.threshold))
        sections.append(Section(f"Judges, threshold {evaluation.threshold:g}", [table]))
    yield "index.html", render_overview(sections)


def rehearse(judge: Judge, threshold: float) -> None:
    """Raise MissingExtraError where reports cannot be drawn, before hours of scoring."""
    page_report(LabelledPage(id="", html="", text=""), {}, judge, threshold)


def worst_places(score: ExtractorScore, count: int) -> list[int]:
    """Return the places of the pages with the lowest F1, the worst first."""
    order = sorted(range(len(score.pages)), key=lambda place: score.pages[place].overlap.f1)
    return order[:count]


def page_report(
    labelled: LabelledPage, systems: dict[str, TextSystem], judge: Judge, threshold: float
) -> str:
    """Return the report of a labelled page, its gold text first among the extractors."""
    page = parse(labelled.html, url=labelled.url)
    views = [_of_text(page, labelled.text, GOLD)]
    views += [_reading(page, labelled, name, system) for name, system in systems.items()]
    judgement = PageJudgement(judge.judge(page, threshold), threshold, judge.name)
    return render_report(page, views, judgement, next(iter(systems), GOLD))


def _reading(page: Page, labelled: LabelledPage, name: str, system: TextSystem) -> ExtractorView:
    """Return what an extractor did, under its name as written; nothing where it raises."""
    try:
        if isinstance(system, OwnSystem):
            found = read(page, system.extractor)
            return replace(found, extraction=replace(found.extraction, extractor=name))
        return _of_text(page, system.text(labelled.html, labelled.url), name)
    except Exception:  # it is counted among the errors of the evaluation
        return ExtractorView(Extraction("", nan, name))


def _of_text(page: Page, text: str, name: str) -> ExtractorView:
    """Return a reading of the blocks that a text is made of."""
    mask = content_mask(page.blocks.text, text)
    chosen = tuple(b for b, is_content in enumerate(mask) if is_content)
    return ExtractorView(Extraction(text, nan, name, chosen))


def _section(corpus: CorpusScores, number: int, places: Sequence[int]) -> Section:
    scores = corpus.scores
    shown = [Table(*tables.extractor_cells(scores))]
    if scores[0].papers:
        shown.append(Table(*tables.paper_cells(scores)))
    if len({page.type for page in scores[0].pages}) > 1:
        shown.append(Table(*tables.type_cells(scores)))
    links = [
        PageLink(
            href=f"pages/{number}-{place + 1}.html",
            id=scores[0].pages[place].id,
            address=scores[0].pages[place].url or "",
            type=scores[0].pages[place].type,
            scores=[score.pages[place].overlap.f1 for score in scores],
        )
        for place in places
    ]
    title = f"{corpus.corpus}: {len(scores[0].pages)} pages"
    return Section(title, shown, [score.extractor for score in scores], links)
