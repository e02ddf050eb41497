"""The options of the subcommands. Nothing but argparse: every ``scrapy`` command loads it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, NoReturn

from scrapy_webtext.cli import archive, crawl
from scrapy_webtext.cli.arguments import json_object, names, whole_number
from scrapy_webtext.log_text import printable

#: Exit status of bad input, as argparse has it for bad options.
BAD_INPUT: Final = 2

#: What `extract` prints.
FORMS: Final = ("text", "markdown", "html", "json")


class Parser(argparse.ArgumentParser):
    """Refuses in one line."""

    def error(self, message: str) -> NoReturn:
        """End the process with this line."""
        line = printable(" ".join(message.split()))
        self.exit(BAD_INPUT, f"{self.prog}: {line} (see: {self.prog} -h)\n")


class Subcommand(NamedTuple):
    """What a subcommand does, in a line, and how its options are added."""

    description: str
    add_options: Callable[[argparse.ArgumentParser], None]


def _extract_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sources", metavar="URL|FILE|-", nargs="*", default=[], help="pages; - is standard input"
    )
    parser.add_argument(
        "--urls",
        metavar="FILE",
        action="append",
        default=[],
        help="a file of web addresses, one a line (may be repeated)",
    )
    _add_extractor_options(parser)
    _add_judge_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--format",
        choices=FORMS,
        default="text",
        help="the text plain (default), as Markdown or as clean HTML, or JSON with all scores",
    )
    for name in ("json", "text"):
        form.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, help=f"--format {name}"
        )
    parser.add_argument("-o", dest="output", metavar="FILE", help="default: standard output")
    _add_fetch_options(parser)


def _report_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="URL|FILE|-", help="page; - is standard input")
    parser.add_argument(
        "--extractor",
        dest="extractors",
        metavar="A,B,...",
        type=names,
        help="default: that of the settings and all built-in ones",
    )
    _add_judge_options(parser)
    parser.add_argument(
        "-o", dest="output", metavar="FILE", default="report.html", help="default: report.html"
    )
    parser.add_argument("--open", action="store_true", help="open the report in a browser")
    _add_fetch_options(parser)


def _evaluate_options(parser: argparse.ArgumentParser) -> None:
    _add_corpora(parser, nargs="*")
    parser.add_argument(
        "--metadata",
        action="store_true",
        help="score titles, authors and dates beside other packages', by metadata.jsonl.gz beside "
        "the corpora; without any CORPUS, of all that it knows in the folder of WEBTEXT_CORPORA",
    )
    parser.add_argument(
        "--extractor",
        dest="extractors",
        metavar="A,B,...",
        help="extractors or peers, with options as NAME:OPTION=VALUE; default: all built-in ones",
    )
    parser.add_argument(
        "--judge",
        dest="judges",
        metavar="A,B,...",
        help="score judges too, on the pages whose type is known",
    )
    _add_threshold(parser)
    parser.add_argument(
        "--measures",
        choices=("overlap", "all"),
        default="all",
        help="overlap leaves out edit distances, space saved and sentences lost, which take time",
    )
    parser.add_argument(
        "--processes",
        metavar="N",
        type=whole_number(1),
        default=1,
        help="how many work at once (1)",
    )
    parser.add_argument(
        "--every", metavar="K", type=whole_number(1), default=1, help="each K-th page only (1)"
    )
    parser.add_argument("--json", action="store_true", help="JSON with the scores of every page")
    parser.add_argument("-o", dest="output", metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--report",
        metavar="FOLDER",
        help="write index.html and a report of each of the worst pages into a new folder",
    )
    parser.add_argument(
        "--worst", metavar="N", type=whole_number(1), default=10, help="how many pages that is (10)"
    )


def _reproduce_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", metavar="PAPER", help="the name of its extractor, or all")
    parser.add_argument(
        "corpora",
        metavar="CORPUS",
        nargs="*",
        help="as evaluate takes them, or names in the folder of WEBTEXT_CORPORA",
    )
    parser.add_argument(
        "--departures",
        action="store_true",
        help="also a row per reading of the paper, all corpora in one table",
    )
    parser.add_argument(
        "--every", metavar="K", type=whole_number(1), default=1, help="each K-th page only (1)"
    )
    parser.add_argument(
        "--processes",
        metavar="N",
        type=whole_number(1),
        default=1,
        help="how many work at once (1)",
    )
    parser.add_argument("-o", dest="output", metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--report", metavar="FOLDER", help="write tables and figures as HTML into a new folder"
    )


def _train_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", choices=("naive_bayes", "fusion", "judge"))
    _add_corpora(parser)
    parser.add_argument(
        "-o", dest="output", metavar="FILE", required=True, help="the model, a JSON file"
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="of fusion's random numbers (0)"
    )
    parser.add_argument(
        "--types-only",
        metavar="CORPUS",
        action="append",
        default=[],
        help="of fusion: a corpus whose types alone are learned from (may be repeated)",
    )


def _archive_options(parser: argparse.ArgumentParser) -> None:
    archive.add_options(parser)
    parser.add_argument(
        "--include",
        metavar="A,B,...",
        type=names,
        help="further columns: main_markdown, main_html, blocks, title, authors, published, ..., "
        "fingerprint; or all",
    )
    _add_extractor_options(parser)
    _add_judge_options(parser)


def _crawl_options(parser: argparse.ArgumentParser) -> None:
    crawl.add_options(parser)
    _add_extractor_options(parser)
    _add_judge_options(parser)


def _add_corpora(parser: argparse.ArgumentParser, nargs: str = "+") -> None:
    parser.add_argument(
        "corpora",
        metavar="CORPUS",
        nargs=nargs,
        help="a .jsonl or .jsonl.gz file with html and text, a folder of x.html and x.txt, or "
        "one with ground-truth.json",
    )


def _add_extractor_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--extractor", metavar="NAME", help="default: WEBTEXT_EXTRACTOR")
    parser.add_argument(
        "--options",
        metavar="JSON",
        type=json_object,
        help='parameters of the extractor, such as {"model": "model.json"}',
    )
    parser.add_argument(
        "--favour",
        choices=("precision", "recall"),
        help="of fusion: less text and surer, or more; the same as in --options",
    )


def _add_judge_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--judge", metavar="NAME", help="default: WEBTEXT_JUDGE")
    _add_threshold(parser)


def _add_threshold(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threshold",
        metavar="P",
        help="least probability of an article; default: WEBTEXT_THRESHOLD",
    )


def _add_fetch_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Fetching (the project's settings apply)")
    group.add_argument("--spider", metavar="NAME", help="fetch with this spider's custom_settings")
    group.add_argument(
        "--meta",
        metavar="JSON",
        type=json_object,
        default={},
        help='request.meta of every request, such as {"playwright": true}',
    )


SUBCOMMANDS: Final[Mapping[str, Subcommand]] = {
    "extract": Subcommand("print the main text of pages", _extract_options),
    "crawl": Subcommand("write the articles of sites, sitemaps and feeds", _crawl_options),
    "report": Subcommand(
        "write an HTML page that shows what each extractor saw on a page", _report_options
    ),
    "evaluate": Subcommand("score extractors and judges on labelled pages", _evaluate_options),
    "reproduce": Subcommand("print the tables of a paper on labelled pages", _reproduce_options),
    "train": Subcommand("train a model on labelled pages", _train_options),
    "archive": Subcommand(
        "extract the pages of archives (WARC, JSON lines, Parquet) to Parquet", _archive_options
    ),
}
