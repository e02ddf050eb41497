"""``python -m scrapy_webtext.archive``: as ``scrapy webtext archive``, without a project."""

from __future__ import annotations

import argparse
import sys

from scrapy_webtext.archive.batch import ExtractionSettings
from scrapy_webtext.archive.main import run_archive
from scrapy_webtext.cli.options import add_options, json_object
from scrapy_webtext.errors import WebtextError
from scrapy_webtext.log_text import shown
from scrapy_webtext.registry import DEFAULT_EXTRACTOR, DEFAULT_JUDGE, DEFAULT_THRESHOLD


def main() -> int:
    """Run; return the exit status: 2 for bad input, 1 if parts could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m scrapy_webtext.archive",
        description="Extract the main text of the pages of archives.",
        allow_abbrev=False,
    )
    add_options(parser, "archives")
    parser.add_argument("--extractor", default=DEFAULT_EXTRACTOR, metavar="NAME")
    parser.add_argument("--options", default={}, metavar="JSON", type=json_object)
    parser.add_argument("--judge", default=DEFAULT_JUDGE, metavar="NAME")
    parser.add_argument("--threshold", default=DEFAULT_THRESHOLD, metavar="P", type=float)
    given = vars(parser.parse_args())
    if not 0 <= given["threshold"] <= 1:
        parser.error(f"argument --threshold: {given['threshold']} is no number from 0 to 1")
    settings = ExtractionSettings(
        extractor=given.pop("extractor"),
        extractor_options=given.pop("options"),
        judge=given.pop("judge"),
        threshold=given.pop("threshold"),
    )
    try:
        return run_archive(settings=settings, **given)
    except WebtextError as error:
        print(f"{parser.prog}: {shown(str(error))}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
