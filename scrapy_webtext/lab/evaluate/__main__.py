"""Scores extractors and judges on labelled corpora and prints tables.

    python -m scrapy_webtext.lab.evaluate CORPUS[,CORPUS] --extractor pvalue,ttr:clustering=em

CORPUS is a .jsonl or .jsonl.gz file or a folder (see scrapy_webtext.lab.corpus), or the name of a
.jsonl.gz file in the folder that the environment variable WEBTEXT_CORPORA names.
"""

from __future__ import annotations

import argparse
import logging
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from scrapy_webtext.errors import WebtextError
from scrapy_webtext.extractors.peers.calls import CALLS
from scrapy_webtext.lab.corpus import read_corpora, read_corpus
from scrapy_webtext.lab.evaluate import tables
from scrapy_webtext.lab.evaluate.baselines import BASELINES
from scrapy_webtext.lab.evaluate.corpora import corpus_name, corpus_path, thinned
from scrapy_webtext.lab.evaluate.run import score_extractors, score_judges
from scrapy_webtext.lab.evaluate.scores import ExtractorScore
from scrapy_webtext.lab.evaluate.systems import split_specs
from scrapy_webtext.registry import EXTRACTORS, JUDGES


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables asked for; return 0, or 2 after a line on what is wrong."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.extractor and not options.judge:
        parser.error("give --extractor, --judge or both")
    # Peers log and warn page by page; what they raise is counted in the tables.
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    try:
        if options.extractor:
            _print_extractors(options)
        if options.judge:
            _print_judges(options)
    except WebtextError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m scrapy_webtext.lab.evaluate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("corpora", metavar="CORPUS[,CORPUS...]")
    parser.add_argument(
        "-e",
        "--extractor",
        default="",
        metavar="A[,B...]",
        help=f"{', '.join(EXTRACTORS)}, a dotted path, or a peer: "
        f"{', '.join([*BASELINES, *CALLS])}; "
        "with options as NAME:OPTION=VALUE,OPTION=VALUE",
    )
    parser.add_argument(
        "-j",
        "--judge",
        default="",
        metavar="A[,B...]",
        help=f"{', '.join(JUDGES)} or a dotted path; all corpora are judged together",
    )
    parser.add_argument("--threshold", type=float, default=0.5, help="of judges (0.5)")
    parser.add_argument("--processes", type=int, default=1, help="how many work (1)")
    parser.add_argument(
        "--measures",
        choices=("overlap", "all"),
        default="overlap",
        help="all: also edit distances, space saved, sentences lost",
    )
    parser.add_argument("--every", type=_positive, default=1, help="each K-th page only")
    parser.add_argument("--worst", type=int, default=0, help="list the N worst pages of the first")
    return parser


def _positive(value: str) -> int:
    number = int(value)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{value} is less than 1")
    return number


def _paths(options: argparse.Namespace) -> list[Path]:
    return [corpus_path(name) for name in options.corpora.split(",") if name]


def _print_extractors(options: argparse.Namespace) -> None:
    by_corpus: dict[str, Sequence[ExtractorScore]] = {}
    for path in _paths(options):
        scores = score_extractors(
            thinned(read_corpus(path), options.every),
            split_specs(options.extractor),
            measures=options.measures,
            processes=options.processes,
        )
        name = corpus_name(path)
        by_corpus[name] = scores
        _print_corpus(name, scores, options)
    if len(by_corpus) > 1:
        print(f"{tables.corpora_table(by_corpus)}\n")


def _print_corpus(name: str, scores: Sequence[ExtractorScore], options: argparse.Namespace) -> None:
    pages = scores[0].pages
    by = "" if scores[0].unit == "words" else ", by 4-character shingles"
    print(f"# {name}: {len(pages)} pages{by}\n\n{tables.extractor_table(scores)}\n")
    if not pages:
        return
    if options.measures == "all":
        print(f"{tables.paper_table(scores)}\n")
    if len({page.type for page in pages}) > 1:
        print(f"{tables.type_table(scores)}\n")
    for score in scores:
        for page in score.errors[:3]:
            print(f"{score.extractor} on {page.id}: {page.error[:200]}")
    for page in scores[0].worst(options.worst):
        precision, recall, f1 = page.overlap
        print(f"{f1:.3f} (P {precision:.2f} R {recall:.2f}) {page.type:13} {page.id} {page.url}")
    if options.worst:
        print()
    sys.stdout.flush()


def _print_judges(options: argparse.Namespace) -> None:
    scores = score_judges(
        thinned(read_corpora(_paths(options)), options.every),
        split_specs(options.judge),
        processes=options.processes,
    )
    print(f"# {options.corpora}\n\n{tables.judge_table(scores, options.threshold)}\n")


if __name__ == "__main__":
    raise SystemExit(main())
