"""Training of `naive_bayes`: counting the levels of web blocks on labelled pages.

The model is counts, and counts are sums over pages: the same pages give the same model to the
byte, in whatever order they come, and nothing is random. A web block is content if most of its
words stand, in order, in the page's gold text (:mod:`scrapy_webtext.corpus.alignment`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, get_args

from scrapy_webtext.corpus import LabelledPage, match_words
from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.naive_bayes import (
    KIND,
    VERSION,
    NaiveBayesExtractor,
    Observation,
)
from scrapy_webtext.extractors.naive_bayes_blocks import (
    BLOCK_TAGS,
    LEVEL_COUNTS,
    BlockTags,
    web_blocks,
)
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import parse
from scrapy_webtext.train.folds import domain_folds

SMOOTHING: Final = 1.0

_CLASSES: Final = ("rest", "content")

#: Web blocks, or words in them, by block tags, observation, class, feature and level.
LevelCounts = Counter[tuple[str, str, str, str, int]]


def train(pages: Iterable[LabelledPage]) -> dict[str, Any]:
    """Return the content of a model file, to be written by `scrapy_webtext.models.dump_model`.

    Pages without gold text are passed over. CorpusError where no page has any, or where no gold
    text stands on its page.
    """
    counts: LevelCounts = Counter()
    used = seen = 0
    for page in pages:
        seen += 1
        if page.text.strip():
            used += 1
            counts.update(count_levels(page))
    if not used:
        raise CorpusError(f"Nothing to train on: none of {seen} pages has a gold text")
    return model_content(counts, used)


def cross_validate(
    read: Callable[[], Iterable[LabelledPage]],
    folds: int = 5,
    seed: int = 0,
    **options: Any,
) -> Iterator[tuple[LabelledPage, str]]:
    """Yield each labelled page with its text, extracted by a model that saw none of its domain.

    ``read`` is called twice, so that no more than one page need be held; ``options`` are
    parameters of the extractor.
    """
    by_domain: dict[str, LevelCounts] = {}
    pages: Counter[str] = Counter()
    for page in read():
        if page.text.strip():
            by_domain.setdefault(page.domain, Counter()).update(count_levels(page))
            pages[page.domain] += 1
    fold_of = domain_folds(by_domain, folds, seed)
    with TemporaryDirectory() as folder:
        extractors = []
        for fold in range(folds):
            others = [name for name in by_domain if fold_of[name] != fold]
            counts = sum((by_domain[name] for name in others), LevelCounts())
            path = Path(folder) / f"{fold}.json"
            content = model_content(counts, sum(pages[name] for name in others))
            path.write_text(dump_model(content), encoding="utf-8")
            extractors.append(NaiveBayesExtractor(model=path, **options))
    for page in read():
        if page.text.strip():
            extractor = extractors[fold_of[page.domain]]
            yield page, extractor.extract(parse(page.html, url=page.url)).text


def count_levels(page: LabelledPage) -> LevelCounts:
    """Return how often each level occurs in content and in the rest of one page."""
    parsed = parse(page.html, url=page.url)
    matches = match_words(parsed.blocks.text, page.text)
    counts: LevelCounts = Counter()
    for name, tags in BLOCK_TAGS.items():
        for block in web_blocks(parsed, tags):
            words = sum(matches[part].words for part in block.parts)
            matched = sum(matches[part].matched for part in block.parts)
            if words:
                kind = _CLASSES[2 * matched > words]
                for feature, level in block.levels._asdict().items():
                    counts[name, "blocks", kind, feature, level] += 1
                    counts[name, "words", kind, feature, level] += words
    return counts


def model_content(
    counts: Mapping[tuple[str, str, str, str, int], int], pages: int
) -> dict[str, Any]:
    """Return the content of a model file from counts summed over so many pages."""
    tables = {
        name: {
            observation: {kind: _class(counts, name, observation, kind) for kind in _CLASSES[::-1]}
            for observation in get_args(Observation)
        }
        for name in get_args(BlockTags)
    }
    if not all(table["words"]["content"]["total"] for table in tables.values()):
        raise CorpusError(f"Nothing to learn: on none of {pages} pages stands its gold text")
    return {
        "kind": KIND,
        "version": VERSION,
        "pages": pages,
        "smoothing": SMOOTHING,
        "tables": tables,
    }


def _class(
    counts: Mapping[tuple[str, str, str, str, int], int], name: str, observation: str, kind: str
) -> dict[str, Any]:
    by_feature = {
        feature: [counts.get((name, observation, kind, feature, level), 0) for level in range(n)]
        for feature, n in LEVEL_COUNTS._asdict().items()
    }
    return {"total": sum(by_feature["link_ratio"]), **by_feature}
