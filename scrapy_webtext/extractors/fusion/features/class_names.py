"""What class and id names say: learned scores of their parts.

``entry-content``, ``articleBody`` and ``related_posts`` are written by people, and name what an
element is for. A name is taken whole and in parts, lower-cased and without digits; each part
seen on enough sites has a score, the log-odds of being content below it less those of any text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.fusion.cache import cached
from scrapy_webtext.extractors.fusion.features.tables import ClassNameScore

#: Parts of a name: words by case or by anything that is no letter.
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
#: The same for lower-case ASCII, at a tenth of the cost.
_BLANKS: Final = bytes(c if chr(c).isascii() and chr(c).isalpha() else 32 for c in range(256))
#: Of one element, as many names are read; of a name, as many parts.
MAX_NAMES: Final = 12
MAX_PARTS: Final = 8
MAX_CHARS: Final = 40
#: Single names, and the names of whole elements, whose scores are remembered.
MAX_KNOWN_NAMES: Final = 4096
MAX_KNOWN_ELEMENTS: Final = 2048


@compiled
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


def class_name_tokens(names: str) -> tuple[str, ...]:
    """Return the tokens of the names of one element, without repeats.

    >>> name_tokens("entry-content post123")
    ('entry', 'content', 'entry-content', 'post')
    """
    found = [token for name in names.split()[:MAX_NAMES] for token in tokens_of(name)]
    return tuple(dict.fromkeys(found))


@compiled
def class_name_scorer(
    scores: Mapping[str, float], weights: Mapping[str, float] | None = None
) -> ClassNameScore:
    """Return a function of names: lowest and highest score of their tokens, around 0, and weights.

    Its memory of names is bounded: the pages of one site repeat theirs, and sites each other's.
    """
    weights = weights or {}
    table = {t: (scores.get(t, 0.0), weights.get(t)) for t in {**scores, **weights}}

    @cached(MAX_KNOWN_NAMES)
    def score_name(name: str) -> tuple[float, float, Mapping[str, float]]:
        low = high = 0.0
        bag: dict[str, float] = {}
        for token in tokens_of(name):
            known = table.get(token)
            if known is None:
                continue
            one, weight = known
            if one < low:
                low = one
            elif one > high:
                high = one
            if weight is not None:
                bag[token] = weight
        return low, high, bag

    @cached(MAX_KNOWN_ELEMENTS)
    def score(names: str) -> tuple[float, float, Mapping[str, float]]:
        found = [score_name(name) for name in names.split()[:MAX_NAMES]]
        if len(found) == 1:
            return found[0]
        low = high = 0.0
        bag: dict[str, float] = {}
        for below, above, own in found:
            low = below if below < low else low
            high = above if above > high else high
            bag.update(own)
        return low, high, bag

    return score


#: Before names are learned.
NO_CLASS_NAMES: Final = class_name_scorer({})
