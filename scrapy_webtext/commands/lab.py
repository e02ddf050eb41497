"""The subcommands for labelled pages (evaluate, train), and report."""

from __future__ import annotations

import argparse
import logging
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.commands.extract import check_sources, read_pages
from scrapy_webtext.crawling.sites import Sites
from scrapy_webtext.errors import InputError
from scrapy_webtext.files import check_file, check_folder, json_text, write_file, write_folder
from scrapy_webtext.lab import corpus, evaluation, report
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import Page
from scrapy_webtext.processes import Progress
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import EXTRACTORS, load, make_extractor
from scrapy_webtext.settings import WebtextSettings

#: What `evaluate` says about its scores.
KNOWN: Final = "Of pages that the packaged models know (docs/results.md), scores are too good"


def write_report(opts: argparse.Namespace, settings: WebtextSettings, process: Any) -> None:
    """Write the report of a page, and open it in a browser if the options ask for it.

    Scrapy's ``process`` fetches an address. Raise InputError if the page cannot be read or is
    larger than the settings allow.
    """
    report.check_packages()
    sites = Sites(settings)
    for name in opts.extractors or ():
        load("extractor", name, {})  # raises for a wrong name before the page is fetched
    check_file(opts.output)
    found: list[Page | str] = []
    sources = check_sources([opts.source], [])
    read_pages(sources, lambda _, page: found.append(page), sites, opts, process)
    [page] = found
    if isinstance(page, str):
        raise InputError(page)
    rule = sites.of(page.url or "")
    reader, own = rule.reader, rule.settings.extractor
    if reason := reader.skip(page.source):
        limit = "WEBTEXT_MAX_BODY_SIZE" if reason == "too_large" else "WEBTEXT_MAX_ELEMENTS"
        raise InputError(f"{opts.source} is larger than {limit} allows: raise it with -s")
    views = [
        report.read(page, reader.extractor if name == own else make_extractor(name))
        for name in opts.extractors or dict.fromkeys([own, *EXTRACTORS])
    ]
    write_file(opts.output, report.render_report(page, views, reader))
    print(opts.output)
    if opts.open:
        import webbrowser

        webbrowser.open(Path(opts.output).resolve().as_uri())


def run_evaluate(opts: argparse.Namespace, reader: PageReader) -> None:
    """Write the scores, and also a report if the options name a folder for it."""
    check_file(opts.output)
    logging.disable(logging.CRITICAL)  # other packages log something for every page
    warnings.simplefilter("ignore")
    if opts.report:  # raise for a wrong folder before hours of work
        check_folder(opts.report)
        report.check_packages()
    found = evaluation.evaluate(
        opts.corpora,
        opts.extractors,
        opts.judges,
        threshold=reader.threshold,
        measures=opts.measures,
        processes=opts.processes,
        every=opts.every,
        read=_watched,
    )
    if not opts.json:
        print(KNOWN, file=sys.stderr)
    # The scores are written first, because an error in the report must not lose them.
    as_json = json_text(evaluation.as_json(found), indent=1) + "\n" if opts.json else ""
    write_file(opts.output, as_json or evaluation.as_tables(found))
    if opts.report:
        write_folder(opts.report, report.evaluation_files(found, reader, opts.worst))


def run_train(opts: argparse.Namespace) -> None:
    """Train a model of ``naive_bayes`` and write it; print the settings that use it."""
    from scrapy_webtext.lab.train_naive_bayes import train

    check_file(opts.output)
    write_file(opts.output, dump_model(train(_watched(opts.corpora))))
    print("The model began from nothing: it knows only these pages", file=sys.stderr)
    print(
        f'{opts.output}: use it with WEBTEXT_EXTRACTOR = "{opts.model}" and '
        f'WEBTEXT_EXTRACTOR_OPTIONS = {{"model": "{opts.output}"}}'
    )


def _watched(paths: Sequence[Path]) -> Iterator[corpus.LabelledPage]:
    """Yield the pages of these corpora; on a terminal draw a progress bar."""
    is_watched = sys.stderr.isatty()
    pages = sum(1 for _ in corpus.read_corpora(paths)) if is_watched else 1
    with closing(Progress(pages)) as progress:
        for page in corpus.read_corpora(paths):
            yield page
            progress.step()
