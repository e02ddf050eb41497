"""Training of `naive_bayes`: counts of the feature levels of web blocks on labelled pages.

The model consists of counts, and counts are sums over pages. So the same pages give the same model,
byte for byte, in any order; nothing is random. A web block is content if most of its words are, in
order, in the page's gold text (`corpus`). Levels are counted for every way to divide a
page into web blocks (`Blocking`): by blocks, or by the words in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.extractors.naive_bayes import (
    BLOCKINGS,
    KIND,
    LEVEL_COUNTS,
    VERSION,
    Blocking,
    NaiveBayesExtractor,
    WebBlock,
    noise_of,
    web_blocks,
)
from scrapy_webtext.lab.corpus import LabelledPage, match_words
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import parse, prefix_sums

_CLASSES: Final = ("rest", "content")

#: Web blocks, or words in them, by blocking, class, feature and level.
LevelCounts = Counter[tuple[Blocking, str, str, int]]


def train(pages: Iterable[LabelledPage]) -> dict[str, Any]:
    """Return the content of a model file, to be written by `scrapy_webtext.models.dump_model`.

    Pages without gold text are left out. CorpusError if no page has a gold text, or if no gold text
    is found on its page.
    """
    counts: LevelCounts = Counter()
    used = total = 0
    for page in pages:
        total += 1
        if page.text.strip():
            used += 1
            counts.update(count_levels(page))
    if not used:
        raise CorpusError(f"Nothing to train on: none of {total} pages has a gold text")
    return model_content(counts, used)


def cross_validate(
    read: Callable[[], Iterable[LabelledPage]],
    folds: int = 5,
    seed: int = 0,
    **options: Any,
) -> Iterator[tuple[LabelledPage, str]]:
    """Yield each labelled page with its text, extracted by a model of the other folds' domains.

    ``read`` is called twice, so that only one page at a time is in memory; ``options`` are
    parameters of the extractor.
    """
    for page, texts in cross_validate_all(read, [options], folds, seed):
        yield page, texts[0]


def cross_validate_all(
    read: Callable[[], Iterable[LabelledPage]],
    options: Sequence[Mapping[str, Any]],
    folds: int = 5,
    seed: int = 0,
) -> Iterator[tuple[LabelledPage, list[str]]]:
    """Yield each labelled page with one text per entry of ``options``; see `cross_validate`."""
    blockings = tuple(dict.fromkeys(NaiveBayesExtractor(**one).blocking for one in options))
    by_domain: dict[str, LevelCounts] = {}
    pages: Counter[str] = Counter()
    for page in read():
        if page.text.strip():
            counts = count_levels(page, blockings)
            by_domain.setdefault(page.domain, Counter()).update(counts)
            pages[page.domain] += 1
    fold_of = domain_folds(by_domain, folds, seed)
    with TemporaryDirectory() as folder:
        extractors = []
        for fold in range(folds):
            others = [name for name in by_domain if fold_of[name] != fold]
            counts = sum((by_domain[name] for name in others), LevelCounts())
            path = Path(folder) / f"{fold}.json"
            content = model_content(counts, sum(pages[name] for name in others), blockings)
            path.write_text(dump_model(content), encoding="utf-8")
            extractors.append([NaiveBayesExtractor(model=path, **one) for one in options])
    for page in read():
        if page.text.strip():
            parsed = parse(page.html, url=page.url)
            found = [one.extract(parsed).text for one in extractors[fold_of[page.domain]]]
            yield page, found


def count_levels(page: LabelledPage, blockings: Sequence[Blocking] = BLOCKINGS) -> LevelCounts:
    """Return how often each level occurs in the content and in the rest of one page."""
    parsed = parse(page.html, url=page.url)
    matches = match_words(parsed.blocks.text, page.text)
    counts: LevelCounts = Counter()
    for blocking in blockings:
        noise = noise_of(parsed, blocking.reading)
        shown = [not noise[node] for node in parsed.blocks.node]
        words = prefix_sums(m.words * n for m, n in zip(matches, shown, strict=True))
        matched = prefix_sums(m.matched * n for m, n in zip(matches, shown, strict=True))
        for block in web_blocks(parsed, blocking):
            held = _held(block, words)
            if held:
                kind = _CLASSES[2 * _held(block, matched) > held]
                for feature, level in block.counts.levels._asdict().items():
                    number = held if blocking.observation == "words" else 1
                    counts[blocking, kind, feature, level] += number
    return counts


def _held(block: WebBlock, sums: Sequence[int]) -> int:
    """Return the sum over a web block, from prefix sums over the page's blocks."""
    spans = block.inner or [(part, part + 1) for part in block.parts]
    return sum(sums[end] - sums[first] for first, end in spans)


def model_content(
    counts: Mapping[tuple[Blocking, str, str, int], int],
    pages: int,
    blockings: Sequence[Blocking] = BLOCKINGS,
) -> dict[str, Any]:
    """Return the content of a model file from counts over ``pages`` pages."""
    classes = {
        blocking: {kind: _class(counts, blocking, kind) for kind in _CLASSES[::-1]}
        for blocking in blockings
    }
    if not any(by_kind["content"]["total"] for by_kind in classes.values()):
        raise CorpusError(f"Nothing to learn: on none of {pages} pages stands its gold text")
    tables = {key.key: {key.observation: by_kind} for key, by_kind in classes.items()}
    return {"kind": KIND, "version": VERSION, "pages": pages, "tables": tables}


def _class(
    counts: Mapping[tuple[Blocking, str, str, int], int], blocking: Blocking, kind: str
) -> dict[str, Any]:
    by_feature = {
        feature: [counts.get((blocking, kind, feature, level), 0) for level in range(n)]
        for feature, n in LEVEL_COUNTS._asdict().items()
    }
    return {"total": sum(by_feature["link_ratio"]), **by_feature}


def domain_folds(domains: Iterable[str], folds: int, seed: int = 0) -> dict[str, int]:
    """Return the fold of each domain, in 0 .. folds - 1. The folds have equal numbers of domains.

    The result depends neither on the machine nor on the order. CorpusError for fewer domains than
    folds.
    """
    shuffled = sorted(set(domains), key=lambda name: sha256(f"{seed} {name}".encode()).digest())
    if len(shuffled) < folds:
        raise CorpusError(
            f"{folds} folds need pages of {folds} domains at least, there are {len(shuffled)}"
        )
    return {name: number % folds for number, name in enumerate(shuffled)}
