"""``scrapy webtext reproduce``: the tables of the papers on labelled pages, and their figures."""

from __future__ import annotations

import argparse
import logging
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from scrapy_webtext.cli.output import check_file, check_folder, write_folder, writing
from scrapy_webtext.cli.overview import page_report, rehearse
from scrapy_webtext.errors import InputError
from scrapy_webtext.lab.corpus import LabelledPage, read_corpus
from scrapy_webtext.lab.evaluate.corpora import corpus_name, corpus_path, thinned
from scrapy_webtext.lab.evaluate.metrics import word_overlap
from scrapy_webtext.lab.evaluate.reproduce import PAPERS, Corpus, Reproduction, check, reproduce
from scrapy_webtext.lab.evaluate.systems import TextSystem, make_system
from scrapy_webtext.lab.report.overview import PageLink, Section, Table, render_overview
from scrapy_webtext.results import Judge

#: Corpora that are taken from the folder of WEBTEXT_CORPORA where none is named.
CORPORA: Final = ("wcxb_dev", "newspaper4k", "zh_dev", "older")
ALL: Final = "all"


def run(opts: argparse.Namespace, judge: Judge, threshold: float) -> None:
    """Write the tables that the options ask for, each as soon as it is known, and the report."""
    papers = papers_of(opts.paper)
    check_file(opts.output)
    if opts.report:
        check_folder(opts.report)
        rehearse(judge, threshold)
    corpora = corpora_of(opts.corpora, opts.every)
    found = []
    with writing(opts.output) as output:
        for one in reproductions(papers, corpora, opts.processes, opts.departures):
            output.write(f"{one}\n")
            found.append(one)
    if opts.report:
        write_folder(opts.report, report_files(found, judge, threshold))


def corpora_of(names: Sequence[str], every: int) -> list[Corpus]:
    """Return these corpora, or `CORPORA`, with each page whose place is a multiple of ``every``.

    InputError where none is named and WEBTEXT_CORPORA is not set.
    """
    if not names and "WEBTEXT_CORPORA" not in os.environ:
        raise InputError(
            "Name the files or folders of labelled pages, or set WEBTEXT_CORPORA to the folder of "
            f"{', '.join(CORPORA)}"
        )
    paths = [corpus_path(name) for name in names or CORPORA]
    return [Corpus(corpus_name(path), list(thinned(read_corpus(path), every))) for path in paths]


def papers_of(name: str) -> Sequence[str]:
    """Return the papers that ``name`` stands for: itself, or all; InputError for another."""
    if name == ALL:
        return tuple(PAPERS)
    if name not in PAPERS:
        raise InputError(f"Unknown paper {name!r}; known: {', '.join(PAPERS)}, or {ALL}")
    return (name,)


def reproductions(
    papers: Sequence[str], corpora: Sequence[Corpus], processes: int, with_departures: bool
) -> Iterator[Reproduction]:
    """Yield the tables of these papers."""
    # Peers log and warn page by page; what they raise is counted in the tables.
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for name in papers:
        check(name, corpora)  # before hours of work on another
    for name in papers:
        yield from reproduce(name, corpora, processes=processes, with_departures=with_departures)


def report_files(
    found: Iterable[Reproduction], judge: Judge, threshold: float
) -> Iterator[tuple[str, str]]:
    """Yield the files of a folder, name and text: the figures of the papers, and their tables.

    The figures (P per tag, the curve of tags, ratios by line) are in the report of one page of
    each corpus, drawn from what the letter and the modern reading saw; the tables come last.
    """
    sections = []
    for number, one in enumerate(found, 1):
        links = []
        systems = {name: make_system(name) for name in (f"{one.paper}:reading=paper", one.paper)}
        if one.example is not None:
            name = f"pages/{number}-{one.paper}.html"
            yield name, page_report(one.example, systems, judge, threshold)
            links.append(_link(name, one.example, systems))
        tables = [Table(*table.cells, table.title, table.note) for table in one.tables]
        title = f"{one.paper} on {one.corpus}: {one.pages} pages"
        sections.append(Section(title, tables, list(systems), links, "Figures, on one page"))
    yield "index.html", render_overview(sections)


def _link(name: str, page: LabelledPage, systems: dict[str, TextSystem]) -> PageLink:
    texts = [system.text(page.html, page.url) for system in systems.values()]
    scores = [word_overlap(text, page.text).f1 for text in texts]
    return PageLink(name, page.id, page.url or "", page.type, scores)
