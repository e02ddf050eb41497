"""Options of ``scrapy webtext crawl``, declared where nothing heavy is imported."""

from __future__ import annotations

import argparse
from typing import Final

from scrapy_webtext.cli.arguments import expression, names, whole_number

#: Ending of the output's name -> format of Scrapy's feeds.
FORMATS: Final = {
    ".jsonl": "jsonlines",
    ".jl": "jsonlines",
    ".ndjson": "jsonlines",
    ".json": "json",
    ".csv": "csv",
    ".parquet": "parquet",
}

DEFAULT_FIELDS: Final = tuple(
    "url title authors published modified language main_text main_text_score "
    "article_probability".split()
)
DEFAULT_PAGES: Final = 200


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what is crawled, how far, and where the articles go."""
    parser.add_argument(
        "sources",
        metavar="URL",
        nargs="*",
        default=[],
        help="a site, or the address of a sitemap (XML, robots.txt) or of a feed (RSS, Atom)",
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        default="-",
        help=f"by its ending: {', '.join(FORMATS)}; default: JSON lines on standard output",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace FILE")
    parser.add_argument(
        "--fields", metavar="A,B,...", type=names, help=f"default: {','.join(DEFAULT_FIELDS)}"
    )
    parser.add_argument(
        "--all-pages", action="store_true", help="keep pages without an article, too"
    )
    parser.add_argument(
        "--pages",
        metavar="N",
        type=whole_number(0),
        default=DEFAULT_PAGES,
        help=f"stop after N pages ({DEFAULT_PAGES}); 0: no limit",
    )
    parser.add_argument(
        "--depth",
        metavar="N",
        type=whole_number(0),
        default=0,
        help="follow N links in a row; 0: no limit",
    )
    parser.add_argument(
        "--include",
        metavar="REGEX",
        action="append",
        default=[],
        type=expression,
        help="follow only addresses that match (may be repeated)",
    )
    parser.add_argument(
        "--exclude",
        metavar="REGEX",
        action="append",
        default=[],
        type=expression,
        help="do not follow addresses that match (may be repeated)",
    )
    parser.add_argument(
        "--job", metavar="DIR", help="keep what is left to do in this folder; go on from it"
    )
