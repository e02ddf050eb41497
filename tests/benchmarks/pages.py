"""The pages that are measured, and the versions of what they are measured with."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from scrapy_webtext.page import decode

ROOT = Path(__file__).parents[2]
SITE = ROOT / "example_project" / "news" / "site"
CORPORA = Path(os.environ.get("WEBTEXT_CORPORA", ROOT.parent / "shared" / "corpora"))
LABELLED = ("wcxb_dev.jsonl.gz", "newspaper4k.jsonl.gz")
PACKAGES = ("scrapy", "lxml", "trafilatura", "resiliparse", "readability-lxml")


class SourcePage(NamedTuple):
    html: str
    url: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "corpora",
        nargs="*",
        help="labelled pages (.jsonl, .jsonl.gz or a folder); without any, "
        f"{' and '.join(LABELLED)} of WEBTEXT_CORPORA if they are there, else the example's site",
    )
    parser.add_argument("--every", type=int, default=1, help="take each n-th page only")


def read_pages(corpora: Sequence[str], every: int = 1) -> Iterator[SourcePage]:
    """Pages of these corpora, or of the default ones, in a fixed order."""
    return islice(_read(corpora or default_corpora()), None, None, every)


def default_corpora() -> list[str]:
    """Labelled pages, where they are there."""
    found = [str(CORPORA / name) for name in LABELLED]
    return found if all(map(os.path.isfile, found)) else []


def _read(corpora: Sequence[str]) -> Iterator[SourcePage]:
    if corpora:
        from scrapy_webtext.lab.corpus import read_corpora  # needs the extra lab, the site does not

        for page in read_corpora(corpora):
            yield SourcePage(page.html, page.url)
    else:
        for path in sorted(SITE.rglob("*.html")):
            yield SourcePage(decode(path.read_bytes()), None)


def source_of(corpora: Sequence[str]) -> str:
    """What the pages are, in words."""
    names = [Path(corpus).name.partition(".")[0] for corpus in corpora or default_corpora()]
    return ", ".join(names) or "the example's site"


def versions() -> str:
    """Versions of Python and of what the times depend on, as far as it is installed."""
    libxml2 = ".".join(map(str, etree.LIBXML_VERSION))
    found = [f"Python {platform.python_version()}", f"libxml2 {libxml2}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
