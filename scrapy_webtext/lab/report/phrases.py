"""Makers of sentences about a number: a share, a count, a distance, a learned score.

Each returns a function from the value of a feature to what it says.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Final

#: A value of a feature -> the sentence.
Sentence = Callable[[float], str]

#: Levels of containers: the closest, the one around it, the third.
_LEVELS: Final = ("its container", "the container around its own", "the third container up")
_TAGS: Final = {
    0: "of another tag",
    1: "a paragraph",
    2: "a quotation",
    3: "preformatted",
    4: "an item of a list",
    5: "a definition",
    6: "a term that is defined",
    7: "text of a <div> or a section",
    8: "a cell of a table",
    9: "a header of a table",
    10: "a caption",
    11: "a button or label",
    12: "a summary that opens",
    **{19 - level: f"a heading of level {level}" for level in range(1, 7)},
}


def share(template: str) -> Sentence:
    """A value in [0, 1] as per cent."""
    return lambda value: template.format(_percent(value))


def _percent(value: float) -> str:
    if value in (0, 1):
        return "all" if value else "none"
    shown = f"{value:.0%}"
    if shown == "0%":
        return "less than 1 %"
    return "more than 99 %" if shown == "100%" else shown.replace("%", " %")


def number(template: str) -> Sentence:
    """A number."""
    return lambda value: template.format(plain(value))


def plain(value: float) -> str:
    """Return a number as one says it: whole, or with one digit where it is small."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.1f}"


def probability(template: str) -> Sentence:
    """A value in [0, 1] with two digits."""
    return lambda value: template.format(f"{value:.2f}")


def either(yes: str, no: str) -> Sentence:
    """A switch."""
    return lambda value: yes if value else no


def unless(missing: float, otherwise: str, known: Sentence) -> Sentence:
    """A value that stands for "there is none", and others."""
    return lambda value: otherwise if value == missing else known(value)


def count(one: str, many: str) -> Sentence:
    """One, and more."""
    return lambda value: one if value == 1 else many.format(plain(value))


def away(place: str) -> Sentence:
    """Blocks from a stretch or an element: 0 inside, below 0 before it."""

    def of(value: float) -> str:
        if value == 0:
            return f"it stands in {place}"
        blocks = "1 block" if abs(value) == 1 else f"{plain(abs(value))} blocks"
        return f"it stands {blocks} {'before' if value < 0 else 'after'} {place}"

    return of


def steps(place: str) -> Sentence:
    """Steps up from an element until it holds the block."""

    def of(value: float) -> str:
        if value == 99:
            return f"{place} does not exist or shares no element with it"
        if value == 0:
            return f"it stands in {place}"
        steps = "1 step" if value == 1 else f"{plain(value)} steps"
        return f"it stands outside of {place}, {steps} up from there"

    return of


def scores(subject: str) -> Sentence:
    """Learned scores: above 0 for text, below 0 against it."""

    def of(value: float) -> str:
        if abs(value) < 0.05:
            return f"{subject} score 0"
        return f"{subject} score {value:+.1f}".replace("-", "\N{MINUS SIGN}")

    return of


def log_odds(template: str) -> Sentence:
    """Log odds, as a probability."""
    return lambda value: template.format(f"{1 / (1 + exp(min(-value, 700.0))):.2f}")


def is_of(subject: str) -> Sentence:
    """A class of tags."""
    return lambda value: f"{subject} is {_TAGS.get(int(value), 'of another tag')}"


def by_level(feature: str, make: Callable[[str], Sentence]) -> dict[str, Sentence]:
    """A statistic of each of three levels of containers."""
    return {f"{feature}_{level}": make(place) for level, place in enumerate(_LEVELS, 1)}
