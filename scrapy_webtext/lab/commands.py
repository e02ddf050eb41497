"""The subcommands for labelled pages (evaluate, train), and report."""

from __future__ import annotations

import argparse
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from scrapy_webtext import files
from scrapy_webtext.crawling.sites import Sites
from scrapy_webtext.errors import CorpusError, InputError
from scrapy_webtext.extractors import naive_bayes as nb
from scrapy_webtext.fetching import check_sources, read_pages
from scrapy_webtext.lab import corpus, evaluation, report
from scrapy_webtext.lab.corpus import LabelledPage, match_words
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.nodes import prefix_sums
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
    files.check_file(opts.output)
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
    files.write_file(opts.output, report.render_report(page, views, reader))
    print(opts.output)
    if opts.open:
        import webbrowser

        webbrowser.open(Path(opts.output).resolve().as_uri())


def run_evaluate(opts: argparse.Namespace, reader: PageReader) -> None:
    """Write the scores, and also a report if the options name a folder for it."""
    files.check_file(opts.output)
    logging.disable(logging.CRITICAL)  # other packages log something for every page
    warnings.simplefilter("ignore")
    if opts.report:  # raise for a wrong folder before hours of work
        files.check_folder(opts.report)
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
    as_json = files.json_text(evaluation.as_json(found), indent=1) + "\n" if opts.json else ""
    files.write_file(opts.output, as_json or evaluation.as_tables(found))
    if opts.report:
        files.write_folder(opts.report, report.evaluation_files(found, reader, opts.worst))


def run_train(opts: argparse.Namespace) -> None:
    """Train a model of ``naive_bayes`` and write it; print the settings that use it."""
    files.check_file(opts.output)
    files.write_file(opts.output, dump_model(train(_watched(opts.corpora))))
    print("The model began from nothing: it knows only these pages", file=sys.stderr)
    print(
        f'{opts.output}: use it with WEBTEXT_EXTRACTOR = "{opts.model}" and '
        f'WEBTEXT_EXTRACTOR_OPTIONS = {{"model": "{opts.output}"}}'
    )


def _watched(paths: Sequence[Path]) -> Iterator[corpus.LabelledPage]:
    """Yield the pages of these corpora; on a terminal draw a progress bar."""
    is_watched = sys.stderr.isatty()
    pages = sum(1 for _ in corpus.read_corpora(paths)) if is_watched else 1
    with closing(files.Progress(pages)) as progress:
        for page in corpus.read_corpora(paths):
            yield page
            progress.step()


_CLASSES: Final = ("rest", "content")

#: Number of web blocks (``modern``: of their words) by blocking, class, feature and level.
LevelCounts = Counter[tuple[nb.Blocking, str, str, int]]


def train(pages: Iterable[LabelledPage]) -> dict[str, Any]:
    """Return the content of a model file, which `scrapy_webtext.models.dump_model` writes.

    Pages without gold text are left out. Raise CorpusError if no page has a gold text, or if no
    gold text is found on its page.
    """
    counts: LevelCounts = Counter()
    used = total = 0
    for page in pages:
        total += 1
        if page.text.strip():
            used += 1
            counts.update(count_levels(page))
    if not used:
        raise CorpusError(f"Nothing to train on: none of {total} pages has a gold text")
    return model_content(counts, used)


def count_levels(page: LabelledPage) -> LevelCounts:
    """Count how often each level occurs in content and in other web blocks of one page."""
    parsed = parse(page.html, url=page.url)
    counts: LevelCounts = Counter()
    for reading, of_reading in groupby(nb.BLOCKINGS, attrgetter("reading")):
        read = nb.page_as_read(parsed, reading)
        noise = nb.noise_of(read, reading)
        shown = [not noise[node] for node in read.blocks.node]
        matches = match_words(read.blocks.text, page.text)
        words = prefix_sums(m.words * n for m, n in zip(matches, shown, strict=True))
        matched = prefix_sums(m.matched * n for m, n in zip(matches, shown, strict=True))
        for blocking in of_reading:
            for block in nb.web_blocks(read, blocking):
                held = _held(block, words)
                if held:
                    kind = _CLASSES[2 * _held(block, matched) > held]
                    for feature, level in block.counts.levels._asdict().items():
                        number = held if reading == "modern" else 1
                        counts[blocking, kind, feature, level] += number
    return counts


def _held(block: nb.WebBlock, sums: Sequence[int]) -> int:
    """Return the sum over the blocks of a web block; ``sums`` are prefix sums over all blocks."""
    return sum(sums[held.stop] - sums[held.start] for held in block.held)


def model_content(counts: LevelCounts, pages: int) -> dict[str, Any]:
    """Return the content of a model file with these counts, which come from ``pages`` pages."""
    tables: dict[str, Any] = {}
    for blocking in nb.BLOCKINGS:
        by_kind: dict[str, Any] = {}
        for kind in _CLASSES[::-1]:
            by_feature = {
                feature: [counts[blocking, kind, feature, level] for level in range(levels)]
                for feature, levels in nb.LEVEL_COUNTS._asdict().items()
            }
            by_kind[kind] = {"total": sum(by_feature["link_ratio"]), **by_feature}
        tables[blocking.key] = by_kind
    if not any(kind == "content" for _, kind, _, _ in counts):
        raise CorpusError(f"Nothing to learn: no gold text appears on any of {pages} pages")
    return {"kind": nb.KIND, "version": nb.VERSION, "pages": pages, "tables": tables}
