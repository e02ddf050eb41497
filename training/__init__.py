"""Trains the models of ``fusion`` and ``learned``; it is not installed with the package.

``python -m training CORPUS... -o fusion.json`` makes the model file (docs/fusion.md).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files
from multiprocessing import get_context
from typing import Any, TypeVar

from scrapy_webtext.lab import environment

#: LightGBM's threads wait for each other without using the processor.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

Corpus = TypeVar("Corpus")
Found = TypeVar("Found")
_works: list[Callable[[Any], Any]] = []


def each_in_a_process(
    work: Callable[[Corpus], Found], corpora: Iterable[Corpus]
) -> Iterator[Found]:
    """Yield ``work(corpus)`` for each corpus, in order; two forked processes share the work.

    A forked process has all that ``work`` refers to, so only the results must be picklable.
    """
    _works.append(work)
    try:
        with get_context("fork").Pool(2) as pool:
            yield from pool.imap(_call, list(corpora))
    finally:
        _works.pop()


def _call(corpus: Any) -> Any:
    return _works[-1](corpus)


@cache
def resource(name: str) -> str:
    """Return the text of a file in this folder."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def render_template(name: str, **values: Any) -> str:
    """Fill a template file of this folder."""
    return str(environment(resource).get_template(name).render(**values))


@cache
def _compiled(source: str) -> Any:
    return environment(resource).from_string(source)


def render_source(source: str, **values: Any) -> str:
    """Fill a template given as text."""
    return str(_compiled(source).render(**values))
