"""``scrapy webtext``: options and dispatch.

Every ``scrapy`` command loads this module: it imports next to nothing, the subcommands the rest.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES

from scrapy_webtext.errors import InputError, WebtextError

if TYPE_CHECKING:
    from scrapy_webtext.cli.extract import ExtractJob
    from scrapy_webtext.fetching import Receiver
    from scrapy_webtext.settings import WebtextSettings

#: Exit status of bad input, as argparse has it for bad options.
BAD_INPUT = 2


class _Parser(argparse.ArgumentParser):
    """Refuses in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message} (see: {self.prog} -h)\n")


class Command(ScrapyCommand):
    """Main text of pages, pictures of how it was found, scores, training."""

    requires_project = False
    # Failures are told in one line each; -L DEBUG brings Scrapy's log back.
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Return what stands behind ``scrapy webtext``."""
        return "<extract|report|archive> [options] ..."

    def short_desc(self) -> str:
        """Return the line in the list of commands."""
        return "Extract the main text of pages and see how it was found"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the subcommands, each with its own options and Scrapy's global ones."""
        subcommands = parser.add_subparsers(
            dest="subcommand",
            required=True,
            metavar="subcommand",
            title="subcommands",
            prog="scrapy webtext",
            parser_class=_Parser,
        )
        self._subparsers = {
            name: subcommands.add_parser(
                name,
                help=_DESCRIPTIONS[name],
                description=_DESCRIPTIONS[name],
                allow_abbrev=False,
                conflict_handler="resolve",
            )
            for name in _DESCRIPTIONS
        }
        for name, subparser in self._subparsers.items():
            super().add_options(subparser)
            _OPTIONS[name](subparser)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Refuse what no option takes; an option may stand between two pages."""
        subparser = self._subparsers[opts.subcommand]
        unknown = [arg for arg in args if arg.startswith("-") and arg != "-"]
        if args and (unknown or not isinstance(getattr(opts, "sources", None), list)):
            subparser.error(f"unrecognized arguments: {' '.join(unknown or args)}")
        if args:
            opts.sources = [*opts.sources, *args]
        try:
            super().process_options([], opts)
        except UsageError as error:
            subparser.error(str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002
        """Run the subcommand; bad input ends with one line and status 2."""
        try:
            _RUNS[opts.subcommand](self, opts)
        except WebtextError as error:
            self._complain(str(error), opts)
        except BrokenPipeError:  # the reader of our output has seen enough
            sys.stderr.close()
        except OSError as error:  # a full disk, say
            self._complain(f"Cannot write: {error}", opts)

    def _complain(self, message: str, opts: argparse.Namespace) -> None:
        self.exitcode = BAD_INPUT
        print(f"scrapy webtext {opts.subcommand}: {' '.join(message.split())}", file=sys.stderr)

    def _webtext_settings(self, opts: argparse.Namespace) -> WebtextSettings:
        """Return the project's settings with what the options override.

        Another extractor or judge than the project's starts with its own default options.
        """
        from scrapy_webtext.settings import PREFIX, WebtextSettings

        assert self.settings is not None
        for part in ("extractor", "judge"):
            name, options = PREFIX + part.upper(), f"{PREFIX}{part.upper()}_OPTIONS"
            given = getattr(opts, part, None)
            is_given_too = self.settings.getpriority(options) == SETTINGS_PRIORITIES["cmdline"]
            if given is not None and given != self.settings.get(name) and not is_given_too:
                self.settings.set(options, {}, priority="cmdline")
        for option in ("extractor", "options", "judge", "threshold"):
            value = getattr(opts, option, None)
            if value is not None:
                name = "EXTRACTOR_OPTIONS" if option == "options" else option.upper()
                self.settings.set(PREFIX + name, value, priority="cmdline")
        return WebtextSettings.from_settings(self.settings)

    def _read(self, sources: list[str], receiver: Receiver, opts: argparse.Namespace) -> None:
        """Read files here, then fetch what is on the web; each goes to the receiver."""
        from scrapy_webtext.cli.sources import is_address, read_source

        addresses = {n: source for n, source in enumerate(sources) if is_address(source)}
        for number, source in enumerate(sources):
            if number not in addresses:
                try:
                    page = read_source(source)
                except InputError as error:
                    receiver.fail(number, str(error))
                else:
                    receiver.receive(number, page)
        if addresses:
            from scrapy_webtext.fetching import Fetch

            assert self.settings is not None
            assert self.crawler_process is not None
            fix_encoding = self.settings.getbool("WEBTEXT_FIX_ENCODING", True)
            Fetch(self.crawler_process, receiver, fix_encoding, opts.spider, opts.meta).run(
                addresses
            )

    def _extract(self, opts: argparse.Namespace) -> None:
        from scrapy_webtext.cli import extract
        from scrapy_webtext.cli.output import writing
        from scrapy_webtext.cli.progress import Progress
        from scrapy_webtext.cli.sources import checked_sources
        from scrapy_webtext.registry import make_extractor, make_judge

        settings = self._webtext_settings(opts)
        reader = extract.PageReader(
            make_extractor(settings.extractor, settings.extractor_options),
            make_judge(settings.judge, settings.judge_options),
            settings.threshold,
        )
        sources = checked_sources(opts.sources, opts.urls)
        text = extract.as_text if len(sources) == 1 else extract.as_headed_text
        progress = Progress(len(sources))
        with writing(opts.output) as output:
            job = extract.ExtractJob(
                sources, reader, output, progress, extract.as_json if opts.json else text
            )
            self._read(sources, job, opts)
            progress.clear()
            if len(job.failures) == len(sources):
                raise InputError("; ".join(job.failures))
        self._tell_failures(job, opts)

    def _report(self, opts: argparse.Namespace) -> None:
        from pathlib import Path

        from scrapy_webtext.cli.output import write_file
        from scrapy_webtext.cli.report import OnePage, report_html
        from scrapy_webtext.cli.sources import checked_sources
        from scrapy_webtext.registry import EXTRACTORS, make_extractor, make_judge

        names = opts.extractors or list(EXTRACTORS)
        settings = self._webtext_settings(opts)
        extractors = [
            make_extractor(name, settings.extractor_options if name == settings.extractor else None)
            for name in names
        ]
        judge = make_judge(settings.judge, settings.judge_options)
        reader = OnePage()
        self._read(checked_sources([opts.source], []), reader, opts)
        write_file(opts.output, report_html(reader.page(), extractors, judge, settings.threshold))
        print(opts.output)
        if opts.open:
            import webbrowser

            webbrowser.open(Path(opts.output).resolve().as_uri())

    def _archive(self, opts: argparse.Namespace) -> None:
        from dataclasses import fields

        from scrapy_webtext.archive import ExtractionSettings
        from scrapy_webtext.archive.main import run_archive

        settings = self._webtext_settings(opts)
        chosen = {f.name: getattr(settings, f.name) for f in fields(ExtractionSettings)}
        self.exitcode = run_archive(
            opts.sources,
            opts.output,
            ExtractionSettings(**chosen),
            opts.engine,
            opts.scheduler,
            opts.workers,
        )

    def _tell_failures(self, job: ExtractJob, opts: argparse.Namespace) -> None:
        for reason in job.failures:
            self._complain(reason, opts)


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"no JSON: {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError('no JSON object, such as {"playwright": true}')
    return value


def _add_fetch_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Fetching (the project's settings apply)")
    group.add_argument("--spider", metavar="NAME", help="fetch with this spider's custom_settings")
    group.add_argument(
        "--meta",
        metavar="JSON",
        type=_json_object,
        default={},
        help='request.meta of every request, such as {"playwright": true}',
    )


def _add_choice_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--judge", metavar="NAME", help="default: WEBTEXT_JUDGE")
    parser.add_argument(
        "--threshold", metavar="P", help="least probability of an article (WEBTEXT_THRESHOLD)"
    )


def _add_extractor_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--extractor", metavar="NAME", help="default: WEBTEXT_EXTRACTOR")
    parser.add_argument(
        "--options",
        metavar="JSON",
        type=_json_object,
        help='parameters of the extractor, such as {"model": "model.json"}',
    )


def _add_extract_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sources", metavar="URL|FILE|-", nargs="*", default=[], help="pages; - is standard input"
    )
    parser.add_argument(
        "--urls",
        metavar="FILE",
        action="append",
        default=[],
        help="a file of addresses or files, one a line (may be repeated)",
    )
    _add_extractor_options(parser)
    _add_choice_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object a line, all scores")
    form.add_argument("--text", action="store_true", help="the text alone (default)")
    parser.add_argument("-o", dest="output", metavar="FILE", help="default: standard output")
    _add_fetch_options(parser)


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names or len(set(names)) < len(names):
        raise argparse.ArgumentTypeError("give names set off by commas, each once")
    return names


def _add_report_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="URL|FILE|-", help="page; - is standard input")
    parser.add_argument(
        "--extractor",
        dest="extractors",
        metavar="A,B,...",
        type=_names,
        help="default: all built-in extractors",
    )
    _add_choice_options(parser)
    parser.add_argument(
        "-o", dest="output", metavar="FILE", default="report.html", help="default: report.html"
    )
    parser.add_argument("--open", action="store_true", help="open the report in a browser")
    _add_fetch_options(parser)


def _add_archive_options(parser: argparse.ArgumentParser) -> None:
    from scrapy_webtext.cli.archive import add_options

    add_options(parser)
    _add_extractor_options(parser)
    _add_choice_options(parser)


_DESCRIPTIONS = {
    "extract": "print the main text of pages",
    "report": "write an HTML page that shows what each extractor saw on a page",
    "archive": "extract the pages of archives (WARC, JSON lines, Parquet) to Parquet",
}
_OPTIONS = {
    "extract": _add_extract_options,
    "report": _add_report_options,
    "archive": _add_archive_options,
}
_RUNS = {
    "extract": Command._extract,
    "report": Command._report,
    "archive": Command._archive,
}
