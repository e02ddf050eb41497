"""The measured pages, the other packages, and the versions of all packages that affect times."""

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

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.lab.evaluation import TextSystem, make_system
from scrapy_webtext.page.encoding import decode
from tests.kits.data import SITE

ROOT = Path(__file__).parents[2]
CORPORA = Path(os.environ.get("WEBTEXT_CORPORA", ROOT.parent / "shared" / "corpora"))
LABELLED = ("wcxb_dev.jsonl.gz", "newspaper4k.jsonl.gz")
PACKAGES = ("scrapy", "lxml", "trafilatura", "resiliparse", "readability-lxml")
PEERS = ("resiliparse", "trafilatura", "readability")


class SourcePage(NamedTuple):
    html: str
    url: str | None


def parser_of(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of arguments that takes corpora and ``--every``."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "corpora",
        nargs="*",
        help="labelled pages (.jsonl, .jsonl.gz or a folder); default: "
        f"{' and '.join(LABELLED)} in WEBTEXT_CORPORA if both exist, else the example's site",
    )
    parser.add_argument("--every", type=int, default=1, help="take each n-th page only")
    return parser


def read_pages(corpora: Sequence[str], every: int = 1) -> Iterator[SourcePage]:
    """Yield pages of these corpora, or of the default ones, in a fixed order."""
    return islice(_read(corpora or default_corpora()), None, None, every)


def default_corpora() -> list[str]:
    """Return the default corpora; empty if one is missing."""
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
    """Return the names of the corpora as text."""
    names = [Path(corpus).name.partition(".")[0] for corpus in corpora or default_corpora()]
    return ", ".join(names) or "the example's site"


def peers() -> tuple[dict[str, TextSystem], str]:
    """Return the installed peers, and a line about the missing peers; empty if none is missing."""
    systems, missing = {}, []
    for name in PEERS:
        try:
            systems[name] = make_system(name)
        except MissingExtraError:
            missing.append(name)
    line = f"Not installed (extra peers), so left out: {', '.join(missing)}." if missing else ""
    return systems, line


def versions() -> str:
    """Return the versions of Python, libxml2 and the installed packages."""
    libxml2 = ".".join(map(str, etree.LIBXML_VERSION))
    found = [f"Python {platform.python_version()}", f"libxml2 {libxml2}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
