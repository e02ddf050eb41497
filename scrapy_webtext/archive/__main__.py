"""``python -m scrapy_webtext.archive``: as ``scrapy webtext archive``, without a project."""

from __future__ import annotations

import argparse
import json
import sys

from scrapy_webtext.archive.batch import ExtractionSettings
from scrapy_webtext.archive.main import run_archive
from scrapy_webtext.cli.archive import add_options
from scrapy_webtext.errors import WebtextError
from scrapy_webtext.extraction import DEFAULT_EXTRACTOR, DEFAULT_JUDGE, DEFAULT_THRESHOLD


def main() -> int:
    """Run; return the exit status: 2 for bad input, 1 where parts could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m scrapy_webtext.archive",
        description="Extract the main text of the pages of archives.",
        allow_abbrev=False,
    )
    add_options(parser)
    parser.add_argument("--extractor", default=DEFAULT_EXTRACTOR, metavar="NAME")
    parser.add_argument("--options", default={}, metavar="JSON", type=json.loads)
    parser.add_argument("--judge", default=DEFAULT_JUDGE, metavar="NAME")
    parser.add_argument("--threshold", default=DEFAULT_THRESHOLD, metavar="P", type=float)
    given = parser.parse_args()
    settings = ExtractionSettings(
        extractor=given.extractor,
        extractor_options=given.options,
        judge=given.judge,
        threshold=given.threshold,
    )
    try:
        return run_archive(
            given.sources, given.output, settings, given.engine, given.scheduler, given.workers
        )
    except WebtextError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
