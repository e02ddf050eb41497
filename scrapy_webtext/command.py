"""``scrapy webtext``: options and dispatch.

Every ``scrapy`` command imports this module, so it imports little; the subcommands import the rest.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from scrapy_webtext.errors import InputError, WebtextError, describe, frames_of, printable, shown

if TYPE_CHECKING:
    from scrapy_webtext.settings import WebtextSettings


#: Fields of the rows that ``crawl`` writes by default.
ROW_FIELDS: Final = (
    "url,title,authors,published,modified,language,main_text,main_text_score,article_probability"
)

CORPUS: Final = (
    "a .jsonl or .jsonl.gz file with html and text, a folder of x.html and x.txt, or one with "
    "ground-truth.json"
)


def whole_number(least: int) -> Callable[[str], int]:
    """Return a function that reads a whole number, at least ``least``."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} on")
        return int(text)

    return read


def names(text: str) -> list[str]:
    """Read names separated by commas: at least one, without duplicates."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found or len(set(found)) < len(found):
        raise argparse.ArgumentTypeError("give names separated by commas, each once")
    return found


def json_object(text: str) -> dict[str, Any]:
    """Read a JSON object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"no JSON: {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError('no JSON object, such as {"playwright": true}')
    return value


def expression(text: str) -> re.Pattern[str]:
    """Read a regular expression."""
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None


def add_threshold(add: Callable[..., Any]) -> None:
    """Add the option for WEBTEXT_THRESHOLD; ``add`` is ``add_argument`` of a parser or group."""
    words = "least probability of an article; default: WEBTEXT_THRESHOLD"
    add("--threshold", dest="WEBTEXT_THRESHOLD", metavar="P", help=words)


def add_reading(parser: argparse.ArgumentParser, *, with_extractor: bool = True) -> None:
    """Add the group of options that name the extractor and the judge."""
    add = parser.add_argument_group("extractor and judge").add_argument
    if with_extractor:
        words = "default: WEBTEXT_EXTRACTOR"
        add("--extractor", dest="WEBTEXT_EXTRACTOR", metavar="NAME", help=words)
        words = 'parameters of the extractor, such as {"model": "model.json"}'
        dest = "WEBTEXT_EXTRACTOR_OPTIONS"
        add("--options", dest=dest, metavar="JSON", type=json_object, help=words)
        words = "fusion takes less text with fewer errors, or more text; also in --options"
        add("--favour", choices=["precision", "recall"], help=words)
    words = "default: WEBTEXT_JUDGE of the project, else learned"
    add("--judge", dest="WEBTEXT_JUDGE", metavar="NAME", help=words)
    add_threshold(add)


def add_fetching(parser: argparse.ArgumentParser) -> None:
    """Add the address of a file, and the group of options for pages that are fetched."""
    words = "the address of a file, by which its links become absolute and its site's rule applies"
    parser.add_argument("--url", metavar="ADDRESS", help=words)
    add = parser.add_argument_group("fetching (the project's settings apply)").add_argument
    words = 'request.meta of every request, such as {"playwright": true}'
    add("--meta", metavar="JSON", type=json_object, default={}, help=words)


def add_extract(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``extract``."""
    add = parser.add_argument
    add("sources", metavar="URL|FILE|-", nargs="*", default=[], help="pages; - is standard input")
    words = "a file of web addresses, one a line (may be repeated)"
    add("--urls", metavar="FILE", action="append", default=[], help=words)
    words = "the text plain (default), as Markdown or as clean HTML, or JSON with all scores"
    add("--format", choices=["text", "markdown", "html", "json"], default="text", help=words)
    add("--json", dest="format", action="store_const", const="json", help="--format json")
    add("-o", dest="output", metavar="FILE", help="default: standard output")
    add_reading(parser)
    add_fetching(parser)


def add_crawl(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``crawl``."""
    words = "a site, or the address of a sitemap (XML, robots.txt) or of a feed (RSS, Atom, JSON)"
    parser.add_argument("sources", metavar="URL", nargs="*", default=[], help=words)
    add = parser.add_argument_group("output").add_argument
    words = (
        "by its ending: .jsonl, .jl, .ndjson, .json, .csv, .parquet; default: JSON lines on "
        "standard output"
    )
    add("-o", dest="output", metavar="FILE", default="-", help=words)
    add("--overwrite", action="store_true", help="replace FILE")
    add("--fields", metavar="A,B,...", type=names, default=ROW_FIELDS, help="default: %(default)s")
    add("--all-pages", action="store_true", help="keep pages without an article, too")
    words = "rows of the pieces of a text, by section, of N characters at most, not of main_text"
    add("--chunks", metavar="N", type=whole_number(1), default=0, help=words)
    number = whole_number(0)
    add = parser.add_argument_group("links").add_argument
    words = "stop after N pages (%(default)s); 0: no limit"
    add("--pages", metavar="N", type=number, default=200, help=words)
    add("--depth", metavar="N", type=number, default=0, help="follow N links in a row; 0: no limit")
    words = "follow only addresses that match (may be repeated)"
    add("--include", metavar="REGEX", action="append", default=[], type=expression, help=words)
    words = "do not follow addresses that match (may be repeated)"
    add("--exclude", metavar="REGEX", action="append", default=[], type=expression, help=words)
    add("--job", metavar="DIR", help="store the open requests in this folder and continue from it")
    add_reading(parser)


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``report``."""
    add = parser.add_argument
    add("source", metavar="URL|FILE|-", help="page; - is standard input")
    words = "default: the one of the settings and all built-in ones"
    add("--extractor", dest="extractors", metavar="A,B,...", type=names, help=words)
    add("-o", dest="output", metavar="FILE", default="report.html", help="default: report.html")
    add("--open", action="store_true", help="open the report in a browser")
    add_reading(parser, with_extractor=False)
    add_fetching(parser)


def add_evaluate(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``evaluate``."""
    number = whole_number(1)
    parser.add_argument("corpora", metavar="CORPUS", nargs="+", help=CORPUS)
    add = parser.add_argument_group("scores").add_argument
    words = "extractors or peers, with options as NAME:OPTION=VALUE; default: all built-in ones"
    add("--extractor", dest="extractors", metavar="A,B,...", help=words)
    words = "score judges too, on the pages whose type is known"
    add("--judge", dest="judges", metavar="A,B,...", help=words)
    add_threshold(add)
    words = "overlap omits edit distances, space saved and sentences lost, which take time"
    add("--measures", choices=["overlap", "all"], default="all", help=words)
    add("--processes", metavar="N", type=number, default=1, help="number of processes (1)")
    add("--every", metavar="K", type=number, default=1, help="each K-th page only (1)")
    add = parser.add_argument_group("output").add_argument
    add("--json", action="store_true", help="JSON with the scores of every page")
    add("-o", dest="output", metavar="FILE", help="default: standard output")
    words = "write index.html and a report of each of the worst pages into a new folder"
    add("--report", metavar="FOLDER", help=words)
    words = "number of pages with a report, the worst ones (10)"
    add("--worst", metavar="N", type=number, default=10, help=words)


def add_train(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``train``."""
    add = parser.add_argument
    add("model", choices=["naive_bayes"])
    add("corpora", metavar="CORPUS", nargs="+", help=CORPUS)
    add("-o", dest="output", metavar="FILE", required=True, help="the model, a JSON file")


def add_archive(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``archive``."""
    words = (
        "a .warc, .warc.gz, .warc.zst, .jsonl, .jsonl.gz, .parquet, .html or .zip file, its "
        "address, or a folder of them"
    )
    parser.add_argument("sources", metavar="INPUT", nargs="*", default=[], help=words)
    add = parser.add_argument_group("output").add_argument
    words = "folder of the output parts (Parquet)"
    add("-o", dest="output", metavar="OUT", required=True, help=words)
    words = "also write these: columns of Parquet, keys of JSON lines, headers of WARC records"
    add("--keep", metavar="COLUMN", nargs="+", action="extend", default=[], help=words)
    words = (
        "further columns: main_markdown, main_html, blocks, title, authors, published, ..., "
        "fingerprint; or all"
    )
    add("--include", metavar="A,B,...", type=names, help=words)
    words = "delete the output of earlier runs in OUT, also if their settings were different"
    add("--overwrite", action="store_true", help=words)
    add = parser.add_argument_group("engine").add_argument
    add("--engine", choices=["local", "dask", "spark"], default="local", help="default: local")
    words = "a Dask scheduler or Spark master; default: a new one on this machine"
    add("--scheduler", metavar="ADDRESS", help=words)
    words = "processes on this machine (default: its processors)"
    add("--workers", metavar="N", type=whole_number(1), help=words)
    add_reading(parser)


#: Subcommand -> its help text, and the function that adds its options.
SUBCOMMANDS: Final[dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]]] = {
    "extract": ("print the main text of pages", add_extract),
    "crawl": ("write the articles of sites, sitemaps and feeds", add_crawl),
    "report": ("write an HTML page that shows how each extractor read a page", add_report),
    "evaluate": ("score extractors and judges on labelled pages", add_evaluate),
    "train": ("train a model on labelled pages", add_train),
    "archive": ("extract stored pages (WARC, JSON lines, Parquet, HTML) to Parquet", add_archive),
}


#: Exit status for bad input; argparse uses it for bad options, too.
BAD_INPUT: Final = 2

#: Settings that belong together: an extractor or judge, and its options.
PAIRS: Final = [(name, f"{name}_OPTIONS") for name in ("WEBTEXT_EXTRACTOR", "WEBTEXT_JUDGE")]

#: Exit status after Ctrl-C, as in shells (128 + SIGINT).
INTERRUPTED: Final = 130

#: Maximum length of an error line, in characters; a line may quote a file.
LINE_CHARS: Final = 2000


class Parser(argparse.ArgumentParser):
    """Prints an error as one line."""

    def error(self, message: str) -> NoReturn:
        """Print this message and end the process."""
        line = printable(" ".join(message.split()))
        self.exit(BAD_INPUT, f"{self.prog}: {line} (see: {self.prog} -h)\n")


class Command(ScrapyCommand):
    """The command ``scrapy webtext`` with its subcommands."""

    requires_project = False
    # A failure prints one line; the option -L DEBUG shows Scrapy's log.
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Return the arguments of ``scrapy webtext``."""
        return "<extract|crawl|report|evaluate|train|archive> [options] ..."

    def short_desc(self) -> str:
        """Return the description that ``scrapy`` prints in its list of commands."""
        return "Main text of pages: extract, crawl, report, archive, score, train"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the subcommands, each with its own options and Scrapy's global ones."""
        self._parser = parser
        parser.prog = "scrapy webtext"
        parser.error = partial(Parser.error, parser)  # type: ignore[arg-type, method-assign]
        subcommands = parser.add_subparsers(
            dest="subcommand",
            metavar="subcommand",
            title="subcommands",
            prog="scrapy webtext",
            parser_class=Parser,
        )
        self._subparsers = subcommands.choices
        for name, (words, add_own_options) in SUBCOMMANDS.items():
            subparser = subcommands.add_parser(
                name, help=words, description=words, allow_abbrev=False, conflict_handler="resolve"
            )
            add_own_options(subparser)
            super().add_options(subparser)
            subparser.add_argument(
                *("-L", "--loglevel"), metavar="LEVEL", help="show Scrapy's log from this level on"
            )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Exit with an error for unknown arguments; print help if there is no subcommand.

        Arguments that are no options are further sources: argparse leaves them in ``args`` if an
        option is between two sources.
        """
        subparser = self._subparsers.get(opts.subcommand, self._parser)
        unknown = [arg for arg in args if arg.startswith("-") and arg != "-"]
        if args and (unknown or not isinstance(getattr(opts, "sources", None), list)):
            subparser.error(f"unrecognized arguments: {' '.join(unknown or args)}")
        if args:
            opts.sources = [*opts.sources, *args]
        if opts.subcommand is None:
            self._parser.print_help()
            self._parser.exit()
        try:
            super().process_options([], opts)
            if opts.logfile:
                Path(opts.logfile).open("a").close()
            logging.NullHandler().setLevel(opts.loglevel or "DEBUG")
        except (UsageError, OSError, TypeError, ValueError) as error:
            subparser.error(str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002
        """Run the subcommand; for an error print one line and set exit status 2."""
        if sys.stderr is None:  # closed; print() would write to standard output
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        try:
            getattr(self, f"_{opts.subcommand}")(opts)
        except WebtextError as error:
            self._complain(str(error), opts)
        except BrokenPipeError:  # the reader of our output closed it
            sys.stderr.close()
        except OSError as error:  # for example a full disk
            self._complain(f"Cannot write: {error}", opts)
        except KeyboardInterrupt:
            self.exitcode = INTERRUPTED
        except Exception as error:
            if self.settings is not None and self.settings.getbool("LOG_ENABLED"):
                raise
            place = frames_of(error).rpartition("\n")[2].strip()
            self._complain(f"{describe(error)} (at {place}; -L DEBUG shows more)", opts)

    def _complain(self, message: str, opts: argparse.Namespace) -> None:
        self.exitcode = BAD_INPUT
        line = shown(" ".join(message.split()), LINE_CHARS)
        print(f"scrapy webtext {opts.subcommand}: {line}", file=sys.stderr)

    def _settings_of(self, opts: argparse.Namespace) -> WebtextSettings:
        """Write the command's options into the project's settings; return the WEBTEXT_* settings.

        The judge is `learned` unless the project or the command line names another. If the command
        line names an extractor or judge other than the project's, the project's options for it do
        not apply. The command line (its options and ``-s``) overrides the rules of sites, too.
        Raise InputError if the command line has an unknown setting.
        """
        from scrapy.settings import SETTINGS_PRIORITIES

        from scrapy_webtext import settings

        project = self.settings
        assert project is not None

        def is_typed(name: str) -> bool:
            return project.getpriority(name) == SETTINGS_PRIORITIES["cmdline"]

        if not (project.get("WEBTEXT_JUDGE") or project.get("WEBTEXT_JUDGE_OPTIONS")):
            project.set("WEBTEXT_JUDGE", "learned", priority="addon")
        given = {k: v for k, v in vars(opts).items() if k in settings.DECLARED and v is not None}
        for name, options in PAIRS:
            if given.get(name) not in (None, project.get(name)) and not is_typed(options):
                given.setdefault(options, {})
        if getattr(opts, "favour", None):
            name = "WEBTEXT_EXTRACTOR_OPTIONS"
            own = settings.read_mapping(name, given.get(name, project.get(name)) or {})
            given[name] = {**own, "favour": opts.favour}
        project.setdict(given, priority="cmdline")
        typed = set(filter(is_typed, settings.DECLARED))
        typed.update(*(pair for pair in PAIRS if typed.intersection(pair)))
        for name in filter(is_typed, settings.WebtextSettings.unknown(project)):
            raise InputError(f"Unknown setting {name}{settings.did_you_mean(name)}")
        found = settings.WebtextSettings.from_settings(project)
        if any(isinstance(rule, Path) for rule in found.sites.values()):  # they have only selectors
            return found
        keys = {name.removeprefix(settings.PREFIX).lower() for name in typed}
        rules = found.sites.items()
        kept = {host: {k: v for k, v in rule.items() if k not in keys} for host, rule in rules}
        project.set("WEBTEXT_SITES", kept, priority="cmdline")
        return replace(found, sites=kept)

    def _extract(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.fetching import run

        complain = partial(self._complain, opts=opts)
        run(opts, self._settings_of(opts), self.crawler_process, complain)

    def _crawl(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.crawling.sites import Sites
        from scrapy_webtext.files import Progress
        from scrapy_webtext.sitecrawl import run

        assert self.settings is not None
        order = run.order_of(opts)
        run.set_order(self.settings, order)
        Sites(self._settings_of(opts))  # raises for wrong values before anything is fetched
        with closing(Progress(order.pages or None)) as progress:
            outcome = run.run_crawl(self.crawler_process, order, progress)
        print(outcome.table(order), file=sys.stderr)
        for fault in outcome.faults(order):
            self._complain(fault, opts)
        if outcome.is_interrupted:
            self.exitcode = INTERRUPTED

    def _report(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.lab.commands import write_report

        write_report(opts, self._settings_of(opts), self.crawler_process)

    def _evaluate(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.lab.commands import run_evaluate

        run_evaluate(opts, self._settings_of(opts).reader())

    def _train(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.lab.commands import run_train

        run_train(opts)

    def _archive(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.archive.run import run_archive
        from scrapy_webtext.reader import field_names

        reader = self._settings_of(opts).reader()
        self.exitcode = run_archive(
            opts.sources,
            opts.output,
            replace(reader, fields=field_names(opts.include or reader.fields)),
            opts.engine,
            opts.scheduler,
            opts.workers or os.cpu_count() or 1,
            keep=opts.keep,
            overwrite=opts.overwrite,
        )
