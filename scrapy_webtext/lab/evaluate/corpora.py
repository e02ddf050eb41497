"""Labelled corpora by path or by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from scrapy_webtext.lab.corpus import LabelledPage


def corpus_path(name: str) -> Path:
    """Return the path of a corpus: as given, or by its name in WEBTEXT_CORPORA."""
    folder = os.environ.get("WEBTEXT_CORPORA")
    if folder and not Path(name).exists():
        return Path(folder) / f"{name}.jsonl.gz"
    return Path(name)


def corpus_name(path: Path) -> str:
    """Return what a corpus is called in tables."""
    return path.name.removesuffix(".gz").removesuffix(".jsonl")


def thinned(pages: Iterable[LabelledPage], every: int) -> Iterator[LabelledPage]:
    """Yield each page whose place is a multiple of ``every``, the first among them."""
    return islice(iter(pages), None, None, every)
