"""Comparison by characters (Weninger, Hsu 2008), space saved, and segments that labels name."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from scrapy_webtext.errors import MissingExtraError

#: Characters that show nothing: soft hyphen, zero-width spaces and joiners, byte order mark.
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")


def lcs_recall(predicted: str, gold: str) -> float:
    """Return the longest common subsequence's length over the gold text's, in characters.

    Weninger, Hsu 2008: LCS as recall. As there, line breaks and other white space are removed on
    both sides, and characters that show nothing; 1 for an empty gold text. MissingExtraError
    without rapidfuzz (extra ``lab``).
    """
    predicted, gold = _packed(predicted), _packed(gold)
    if not gold:
        return 1.0
    return float(_distances().LCSseq.similarity(predicted, gold)) / len(gold)


def edit_distance_ratio(predicted: str, gold: str) -> float:
    """Return 1 less the edit distance over the longer text's length, in characters.

    Weninger, Hsu 2008, eq. 2: EDR as precision. Edits are insertions, deletions and
    substitutions. Texts are prepared as for the LCS; 1 for two empty ones.
    """
    predicted, gold = _packed(predicted), _packed(gold)
    longest = max(len(predicted), len(gold))
    if not longest:
        return 1.0
    return 1 - float(_distances().Levenshtein.distance(predicted, gold)) / longest


def space_saved(html: str, text: str) -> float:
    """Return the share of the page's bytes (UTF-8) that its text does without.

    Weninger, Hsu 2008, Table 4. 0 for an empty page; below 0 if the text is longer.
    """
    return _saved(_utf8(html), _utf8(text))


def space_saved_compressed(html: str, text: str) -> float:
    """Return the space saved where page and text are both compressed (DEFLATE)."""
    return _saved(zlib.compress(_utf8(html)), zlib.compress(_utf8(text))) if html else 0.0


class Segments(NamedTuple):
    """Of the segments that a page's label names, the shares that were rightly kept and left."""

    kept: float | None = None  #: of those that the text must hold, in [0, 1]; None without any
    left: float | None = None  #: of those that it must not hold


def segments(text: str, required: Sequence[str], excluded: Sequence[str]) -> Segments:
    """Return how many segments a text holds and leaves out as its label asks (WCXB's measure).

    White space is folded on both sides; case and everything else count.
    """
    plain = _plain(text)
    kept = [_plain(segment) in plain for segment in required]
    left = [_plain(segment) not in plain for segment in excluded]
    return Segments(
        sum(kept) / len(kept) if kept else None,
        sum(left) / len(left) if left else None,
    )


def _plain(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", text).split())


def _packed(text: str) -> str:
    return "".join(_INVISIBLE.sub("", text).split())


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _saved(whole: bytes, part: bytes) -> float:
    return 1 - len(part) / len(whole) if whole else 0.0


def _distances() -> Any:
    try:
        return import_module("rapidfuzz.distance")
    except ImportError as error:
        raise MissingExtraError("an edit distance", "rapidfuzz", "lab") from error
