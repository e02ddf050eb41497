"""``scrapy webtext train``: a model from labelled pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab.corpus import read_corpora
from scrapy_webtext.lab.evaluate.scores import ARTICLE
from scrapy_webtext.models import dump_model

#: Model -> the settings that use it.
USES = {
    "naive_bayes": ("EXTRACTOR", "naive_bayes"),
    "fusion": ("EXTRACTOR", "fusion"),
    "judge": ("JUDGE", "learned"),
}


def trained(model: str, corpora: Sequence[str], seed: int) -> str:
    """Return the text of a model file; errors as in `scrapy_webtext.lab.train`.

    The judge ``learned`` reads the model of ``fusion``, which holds what it needs.
    """
    if model == "naive_bayes":
        from scrapy_webtext.lab.train.naive_bayes import train

        return dump_model(train(read_corpora(corpora)))
    if model == "judge":
        _check_types(corpora)
    from scrapy_webtext.lab.train.fusion.training import train_fusion

    content: dict[str, Any] = train_fusion(corpora, seed=seed)
    return dump_model(content)


def _check_types(corpora: Sequence[str]) -> None:
    """Raise CorpusError where there is nothing for a judge to tell apart."""
    found = {page.type for page in read_corpora(corpora)} - {""}
    if ARTICLE not in found or found == {ARTICLE}:
        raise CorpusError(
            f"A judge learns from pages of type {ARTICLE!r} and of others, there are "
            f"{', '.join(map(repr, sorted(found))) or 'none with a type'}: give each page its type"
        )


def advice(model: str, path: str) -> str:
    """Return the settings that make a crawl use the model."""
    part, name = USES[model]
    return (
        f'{path}: use it with WEBTEXT_{part} = "{name}" and '
        f'WEBTEXT_{part}_OPTIONS = {{"model": "{path}"}}'
    )
