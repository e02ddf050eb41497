"""Scores of class names: ``entry-content`` is content, ``related_posts`` is not.

People write class and id names, and these tell what an element is for. A name is split into
tokens: the whole name and its parts, in lower case and without digits. Each token that enough sites
use has a learned score: the log-odds that text below it is content, minus the log-odds of all text.
The module calls all of class, id, role and itemprop "class names".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.fusion.features.tables import ClassNameScore

T = TypeVar("T")


def cached(limit: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Return a decorator that caches up to ``limit`` results, and then empties the cache.

    Emptying is as fast as dropping the least recently used entry (`functools.lru_cache`), and it
    frees memory. A string that stays for long keeps the megabyte alive in which it was allocated:
    with `lru_cache` one large page held up to 10 MB for the rest of a crawl.
    """

    def decorate(compute: Callable[[str], T]) -> Callable[[str], T]:
        cache: dict[str, T] = {}
        get = cache.get

        def lookup(string: str) -> T:
            result = get(string)
            if result is None:
                if len(cache) >= limit:
                    cache.clear()
                result = cache[string] = compute(string)
            return result

        return lookup

    return decorate


#: Parts of a name: split before capitals and at everything that is no letter.
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
#: Splits lower-case ASCII in the same way, at a tenth of the cost.
_BLANKS: Final = bytes(c if chr(c).isascii() and chr(c).isalpha() else 32 for c in range(256))
#: Limits: names per element, parts per name, characters per whole name.
MAX_CLASS_NAMES: Final = 12
MAX_PARTS: Final = 8
MAX_CHARS: Final = 40
#: Limits of the caches: single names, and all class names of an element.
MAX_CACHED_NAMES: Final = 4096
MAX_CACHED_ELEMENTS: Final = 2048


def tokens_of(name: str) -> tuple[str, ...]:
    """Return the tokens of one name: its parts, and the whole.

    >>> tokens_of("articleBody")
    ('article', 'body', 'article-body')
    """
    if name.isascii() and name.islower():
        parts = name[:200].encode().translate(_BLANKS).decode().split()
    else:
        parts = [part.lower() for part in _PART.findall(name[:200])]
    if len(parts) > 1:
        return (*parts[:MAX_PARTS], "-".join(parts)[:MAX_CHARS])
    return tuple(parts)


def class_name_tokens(class_names: str) -> tuple[str, ...]:
    """Return the distinct tokens of the class names of one element.

    >>> class_name_tokens("entry-content post123")
    ('entry', 'content', 'entry-content', 'post')
    """
    found = [token for name in class_names.split()[:MAX_CLASS_NAMES] for token in tokens_of(name)]
    return tuple(dict.fromkeys(found))


def names_with(class_names: Sequence[str], parts: Sequence[str]) -> list[str]:
    """Return the class names that hold one of these parts, in lower case."""
    joined = "\n".join(class_names).lower()
    found = [part for part in parts if part in joined]
    if not found:
        return []
    return [name for name in class_names if any(part in name.lower() for part in found)]


@compiled
def class_name_scorer(
    scores: Mapping[str, float], weights: Mapping[str, float] | None = None
) -> ClassNameScore:
    """Return a function of the class names of an element.

    Its result: the lowest and the highest score of their tokens (0 is neutral), and the weights of
    the tokens in the bag of words. Results are cached, because pages and sites repeat class names.
    """
    weights = weights or {}
    of_token = {t: (scores.get(t, 0.0), weights.get(t)) for t in {**scores, **weights}}

    @cached(MAX_CACHED_NAMES)
    def score_name(name: str) -> tuple[float, float, Mapping[str, float]]:
        low = high = 0.0
        bag: dict[str, float] = {}
        for token in tokens_of(name):
            entry = of_token.get(token)
            if entry is None:
                continue
            token_score, weight = entry
            if token_score < low:
                low = token_score
            elif token_score > high:
                high = token_score
            if weight is not None:
                bag[token] = weight
        return low, high, bag

    @cached(MAX_CACHED_ELEMENTS)
    def score(class_names: str) -> tuple[float, float, Mapping[str, float]]:
        scored = [score_name(name) for name in class_names.split()[:MAX_CLASS_NAMES]]
        if len(scored) == 1:
            return scored[0]
        low = high = 0.0
        bag: dict[str, float] = {}
        for name_low, name_high, name_bag in scored:
            low = name_low if name_low < low else low
            high = name_high if name_high > high else high
            bag.update(name_bag)
        return low, high, bag

    return score


@compiled
def bag_weights(score: ClassNameScore, class_names: Iterable[str]) -> list[float]:
    """Return the weights in the bag of words of the distinct tokens of these class names.

    ``score`` is a result of `class_name_scorer`.
    """
    found: dict[str, float] = {}
    for _, _, weights in map(score, class_names):
        if weights:
            found.update(weights)
    return list(found.values())


#: Used by training before the scores of class names are learned.
NO_CLASS_NAMES: Final = class_name_scorer({})
