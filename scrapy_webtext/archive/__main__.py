"""``python -m scrapy_webtext.archive``: as ``scrapy webtext archive``, without a project."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from scrapy_webtext.archive.batch import ExtractionSettings
from scrapy_webtext.archive.main import run_archive
from scrapy_webtext.cli.options import add_options
from scrapy_webtext.defaults import DEFAULT_EXTRACTOR, DEFAULT_JUDGE, DEFAULT_THRESHOLD
from scrapy_webtext.errors import WebtextError
from scrapy_webtext.log_text import shown


def main() -> int:
    """Run; return the exit status: 2 for bad input, 1 where parts could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m scrapy_webtext.archive",
        description="Extract the main text of the pages of archives.",
        allow_abbrev=False,
    )
    add_options(parser, "archives")
    parser.add_argument("--extractor", default=DEFAULT_EXTRACTOR, metavar="NAME")
    parser.add_argument("--options", default={}, metavar="JSON", type=_options)
    parser.add_argument("--judge", default=DEFAULT_JUDGE, metavar="NAME")
    parser.add_argument("--threshold", default=DEFAULT_THRESHOLD, metavar="P", type=_threshold)
    given = parser.parse_args()
    settings = ExtractionSettings(
        extractor=given.extractor,
        extractor_options=given.options,
        judge=given.judge,
        threshold=given.threshold,
    )
    try:
        return run_archive(
            given.sources,
            given.output,
            settings,
            given.engine,
            given.scheduler,
            given.workers,
            keep=given.keep,
            overwrite=given.overwrite,
        )
    except WebtextError as error:
        print(f"{parser.prog}: {shown(str(error))}", file=sys.stderr)
        return 2


def _options(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"no JSON: {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError('no JSON object, such as {"model": "model.json"}')
    return value


def _threshold(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
