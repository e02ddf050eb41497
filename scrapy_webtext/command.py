"""``scrapy webtext``: options and dispatch.

Every ``scrapy`` command imports this module, so it imports little; the subcommands import the rest.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from scrapy_webtext.commands.options import SUBCOMMANDS
from scrapy_webtext.errors import InputError, WebtextError, describe, frames_of, printable, shown

if TYPE_CHECKING:
    from scrapy_webtext.settings import WebtextSettings

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
        kept = {
            host: {k: v for k, v in rule.items() if settings.PREFIX + k.upper() not in typed}
            for host, rule in found.sites.items()
        }
        project.set("WEBTEXT_SITES", kept, priority="cmdline")
        return replace(found, sites=kept)

    def _extract(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.commands.extract import run

        complain = partial(self._complain, opts=opts)
        run(opts, self._settings_of(opts), self.crawler_process, complain)

    def _crawl(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.crawling.sites import Sites
        from scrapy_webtext.processes import Progress
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
        from scrapy_webtext.commands.lab import write_report

        write_report(opts, self._settings_of(opts), self.crawler_process)

    def _evaluate(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.commands.lab import run_evaluate

        run_evaluate(opts, self._settings_of(opts).reader())

    def _train(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.commands.lab import run_train

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
