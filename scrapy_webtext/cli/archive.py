"""Options of ``scrapy webtext archive``, declared where nothing heavy is imported."""

from __future__ import annotations

import argparse
import os
from typing import Final

from scrapy_webtext.cli.arguments import whole_number

ENGINES: Final = ("local", "dask", "spark")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what says where the pages are, where the texts go, and what does the work."""
    parser.add_argument(
        "sources",
        metavar="INPUT",
        nargs="*",
        default=[],
        help="a .warc, .warc.gz, .jsonl, .jsonl.gz or .parquet file, or a folder of them",
    )
    parser.add_argument(
        "-o", dest="output", metavar="OUT", required=True, help="folder of the output parts"
    )
    parser.add_argument(
        "--keep",
        metavar="COLUMN",
        nargs="+",
        action="extend",
        default=[],
        help="pass these on: columns of Parquet, keys of JSON lines, headers of WARC records",
    )
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="discard what earlier runs left in OUT, whatever their settings were",
    )
    parser.add_argument("--engine", choices=ENGINES, default="local", help="default: local")
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="a Dask scheduler or Spark master; default: one of its own on this machine",
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=whole_number(1),
        default=os.cpu_count() or 1,
        help="processes on this machine (default: its processors)",
    )
