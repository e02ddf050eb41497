"""What class and id names say: learned scores of their parts.

``entry-content``, ``articleBody`` and ``related_posts`` are written by people, and name what an
element is for. A name is taken whole and in parts, lower-cased and without digits; each part
seen on enough sites has a score, the log-odds of being content below it less those of any text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from scrapy_webtext.extractors.fusion.reading import NameScore

#: Parts of a name: words by case or by anything that is no letter.
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
#: Of a name, and of all the names of one element.
MAX_PARTS: Final = 8
MAX_TOKENS: Final = 24
MAX_CHARS: Final = 40


@lru_cache(maxsize=4096)
def name_tokens(names: str) -> tuple[str, ...]:
    """Return the tokens of some names, without repeats.

    >>> name_tokens("entry-content post123")
    ('entry', 'content', 'entry-content', 'post')
    """
    found: list[str] = []
    for name in names.split():
        parts = [part.lower() for part in _PART.findall(name[:200])]
        if len(parts) > 1:
            found += parts[:MAX_PARTS]
        if parts:
            found.append("-".join(parts)[:MAX_CHARS])
        if len(found) >= MAX_TOKENS:
            break
    return tuple(dict.fromkeys(found[:MAX_TOKENS]))


def name_scorer(table: Mapping[str, float]) -> NameScore:
    """Return a function of names: the lowest score of their tokens and the highest, around 0.

    Its memory of names is bounded: the pages of one site repeat theirs.
    """

    @lru_cache(maxsize=4096)
    def score(names: str) -> tuple[float, float]:
        scores = [table[token] for token in name_tokens(names) if token in table]
        return (min(0.0, *scores), max(0.0, *scores)) if scores else (0.0, 0.0)

    return score
