"""Scores of class names: ``entry-content`` is content, ``related_posts`` is not.

People write class and id names, and these tell what an element is for. A name is split into
tokens: the whole name and its parts, in lower case and without digits. Each token that enough sites
use has a learned score: the log-odds that text below it is content, minus the log-odds of all text.
The module calls all of class, id, role and itemprop "class names".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.core.tokens import TokenTable


def names_with(class_names: Sequence[str], parts: Sequence[str]) -> list[str]:
    """Return the class names that hold one of these parts, in lower case."""
    joined = "\n".join(class_names).lower()
    found = [part for part in parts if part in joined]
    if not found:
        return []
    return [name for name in class_names if any(part in name.lower() for part in found)]


class ClassNameScores:
    """What the tokens of class names say, and their weights in the bag of words."""

    def __init__(
        self, scores: Mapping[str, float], weights: Mapping[str, float] | None = None
    ) -> None:
        self._table = TokenTable(scores, weights or {})

    def of(self, class_names: str) -> tuple[float, float]:
        """Return the lowest and the highest score of an element's tokens; 0 is neutral."""
        n = self._table.read_names(class_names)
        tokens, scores = arrays.longs(self._table.found), arrays.doubles(self._table.scores)
        low = high = 0.0
        for k in range(n):
            low, high = min(low, scores[tokens[k]]), max(high, scores[tokens[k]])
        return low, high

    def weights(self, class_names: Iterable[str]) -> list[float]:
        """Return the weights of the distinct tokens of these class names that have one."""
        table, found = self._table, []
        is_seen = bytearray(len(table.has_weight))
        seen, has_weight = arrays.octets(is_seen), arrays.octets(table.has_weight)
        tokens, of_token = arrays.longs(table.found), arrays.doubles(table.weights)
        for names in class_names:
            for k in range(table.read_names(names)):
                token = tokens[k]
                if has_weight[token] and not seen[token]:
                    seen[token] = 1
                    found.append(of_token[token])
        return found


#: Used by training before the scores of class names are learned.
NO_CLASS_NAMES: Final = ClassNameScores({})
