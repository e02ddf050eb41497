"""Explains in sentences why an extractor chose a block or left it out.

The explanation is made from the extractor's signals. ``sentences.json`` contains captions of
pictures by the name of a signal, and sentences by the name of a feature. A reader does not
understand values of features, so "half_steps 0" becomes "it is in the element that holds half of
the page's prose". A feature has one sentence for each special value. For all other values it has
one sentence, whose key names the function of `_FORMS` that formats the value.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, isfinite
from typing import Any, Final

from scrapy_webtext.lab import resource
from scrapy_webtext.page import Page
from scrapy_webtext.results import Reason, Signal

#: Maximum length of an element's name, and of the part of an id or class that is read (characters).
MAX_NAME: Final = 32
_MAX_LOOK: Final = 100


_WORDS: Final[dict[str, Any]] = json.loads(resource("sentences.json"))
#: Name of a feature -> value, or name of a form -> sentence.
SENTENCES: Final[Mapping[str, Mapping[str, str]]] = _WORDS["features"]


@dataclass(frozen=True, slots=True)
class Caption:
    """The texts of a picture."""

    title: str
    value: str  #: name of the values, shown at the axis
    text: str
    why: str = "What decided"  #: heading of the sentences about a block


def caption(name: str, unit: str) -> Caption:
    """Return the caption of a signal; without a stored one it is made from name and unit."""
    if name in _WORDS["captions"]:
        return Caption(**_WORDS["captions"][name])
    plain = name.replace("_", " ")
    return Caption(f"{plain.capitalize()} per {unit}", plain, _WORDS["units"][unit])


def sentence(feature: str, value: float) -> str:
    """Return the sentence for a feature's value; if there is none, the feature's name and value."""
    for key, said in SENTENCES.get(feature, {}).items() if isfinite(value) else ():
        if key in _FORMS:
            return said.format(_FORMS[key](value))
        if float(key) == value:
            return said
    return f"{feature.replace('_', ' ')} {value:.3g}"


def _number(value: float) -> str:
    """Return a number as text; a fraction below 10 has one digit after the point, others none."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.1f}"


def _share(value: float) -> str:
    """Return a share in [0, 1] as text, in per cent."""
    if value in (0, 1):
        return "all" if value else "none"
    shown = f"{value:.0%}".replace("%", " %")
    return {"0 %": "less than 1 %", "100 %": "more than 99 %"}.get(shown, shown)


def _score(value: float) -> str:
    """Return a learned score as text; scores above 0 speak for content, below 0 against it."""
    return "0" if abs(value) < 0.05 else f"{value:+.1f}".replace("-", "\N{MINUS SIGN}")


def _distance(value: float) -> str:
    """Return a distance in blocks as text: 0 is inside the other thing, below 0 is before it."""
    if value == 0:
        return "in"
    blocks = "1 block" if abs(value) == 1 else f"{_number(abs(value))} blocks"
    return f"{blocks} {_SIDES[value < 0]}"


#: By whether a distance is below 0.
_SIDES: Final = ("after", "before")


def _tag(value: float) -> str:
    """Return the name of a class of tags from its number."""
    return str(dict(enumerate(_WORDS["tags"])).get(int(value), _WORDS["tags"][0]))


_FORMS: Final[Mapping[str, Callable[[float], str]]] = {
    "number": _number,
    "share": _share,
    "score": _score,
    "distance": _distance,
    "side": lambda value: f"{_number(abs(value))} characters of prose {_SIDES[value < 0]}",
    "tag": _tag,
    "probability": lambda value: f"{value:.2f}",
    "log_odds": lambda value: f"{1 / (1 + exp(min(-value, 700.0))):.2f}",
    "inverse": lambda value: _number(1 / value),
    "ninth": lambda value: _number(round(value / 9)),
}


def what_decided(reasons: Sequence[Reason]) -> list[tuple[str, float]]:
    """Return sentences with their effects, the strongest first; equal sentences are added up."""
    effects: dict[str, float] = {}
    for reason in reasons:
        said = sentence(reason.feature, reason.value)
        effects[said] = effects.get(said, 0.0) + reason.effect
    return sorted(effects.items(), key=lambda pair: -abs(pair[1]))


def unweighed(signals: Sequence[Signal]) -> list[int]:
    """Return the blocks that no forest has weighed: their value is 0 and they have no reasons."""
    for signal in signals:
        if signal.unit == "block" and signal.reasons:
            pairs = enumerate(zip(signal.values, signal.reasons, strict=False))
            return [b for b, (value, why) in pairs if value == 0 and not why]
    return []


def explain(page: Page, signals: Sequence[Signal]) -> list[list[str]]:
    """Return for each block of the page a list of sentences, at most one per signal.

    Signals of blocks are stages: a block that fails one stage gets no sentence about the next. If
    one signal of lines has a threshold, signals of lines without a threshold get no sentences.
    """
    has_threshold = any(s.unit == "line" and s.threshold is not None for s in signals)
    found = _stages([signal for signal in signals if signal.unit == "block"], len(page.blocks))
    for signal in signals:
        if signal.unit == "node":
            column = dict(enumerate(_of_nodes(page, signal)))
        elif signal.unit == "token":
            column = _of_tokens(signal)
        elif signal.unit == "line" and (signal.threshold is not None or not has_threshold):
            column = _of_lines(signal)
        else:
            continue
        for block, said in column.items():
            found[block].append(said)
    return found


def _stages(signals: Sequence[Signal], count: int) -> list[list[str]]:
    sentences: list[list[str]] = [[] for _ in range(count)]
    passed = [True] * count
    for signal in signals:
        name = caption(signal.name, signal.unit).value
        for b, value in enumerate(signal.values):
            if passed[b]:
                shown = "below 0.001" if 0 < value < 0.001 else f"{value:.3g}"
                sentences[b].append(f"{name} {shown}{_against(value, signal.threshold)}")
                passed[b] = signal.threshold is None or value >= signal.threshold
    if signals and signals[-1].threshold is not None:
        selected = frozenset(signals[-1].selected)
        for b, has_passed in enumerate(passed):
            if has_passed != (b in selected):
                taken = "left" if has_passed else "taken"
                sentences[b].append(f"{taken} all the same, by a rule that has no numbers")
    return sentences


def _of_nodes(page: Page, signal: Signal) -> list[str]:
    name = caption(signal.name, signal.unit).value
    values = signal.values
    rank = ranks(values)
    holder: list[int] = []  # for each node, itself or the nearest ancestor that has a value
    for n, above in enumerate(page.nodes.parent):
        holder.append(n if values[n] > 0 or above < 0 else holder[above])
    best = signal.selected[0] if len(signal.selected) == 1 else -1
    sentences = []
    for node in page.blocks.node:
        n = holder[node]
        own = f"in <{describe_node(page, n)}>, {name} {values[n]:.3g}"
        own += f", rank {rank[n]}" if n in rank else ""
        if best >= 0:
            place = "inside" if best <= node < page.nodes.end[best] else "outside"
            own = (
                f"{place} <{describe_node(page, best)}>, the element with the greatest "
                f"{name} ({values[best]:.3g})" + ("" if n == best else f"; {own}")
            )
        sentences.append(own)
    return sentences


def ranks(values: Sequence[float]) -> dict[int, int]:
    """Return index -> rank for all values above 0; the greatest value has rank 1."""
    places = sorted((n for n in range(len(values)) if values[n] > 0), key=lambda n: -values[n])
    return {n: rank for rank, n in enumerate(places, 1)}


def _of_tokens(signal: Signal) -> dict[int, str]:
    if not signal.selected:
        return {}
    first, last = signal.selected[0], signal.selected[-1]
    sentences = {}
    for block, (low, high) in units_of_blocks(signal.blocks).items():
        place = "before" if high < first else "after" if low > last else "inside"
        units = _units(signal.unit, low, high)
        sentences[block] = f"{units}, {place} the stretch from {first} to {last}"
    return sentences


def _of_lines(signal: Signal) -> dict[int, str]:
    name = caption(signal.name, signal.unit).value
    sentences = {}
    for block, (low, high) in units_of_blocks(signal.blocks).items():
        greatest = max(signal.values[low : high + 1])
        taken = bisect_right(signal.selected, high) - bisect_left(signal.selected, low)
        units = _units("line", low + 1, high + 1)
        said = f"{units}: {name} at most {greatest:.3g}{_against(greatest, signal.threshold)}"
        sentences[block] = f"{said}, {taken} chosen" if taken and signal.threshold is None else said
    return sentences


def units_of_blocks(extents: Iterable[tuple[int, int] | None]) -> dict[int, tuple[int, int]]:
    """Return each block's first and last unit; ``extents`` has each unit's first and last block."""
    units: dict[int, tuple[int, int]] = {}
    for n, extent in enumerate(extents):
        if extent is not None:
            for block in range(extent[0], extent[1] + 1):
                units[block] = (units.get(block, (n, n))[0], n)
    return units


def _units(unit: str, first: int, last: int) -> str:
    return f"{unit} {first}" if first == last else f"{unit}s {first} to {last}"


def _against(value: float, threshold: float | None) -> str:
    if threshold is None:
        return ""
    side = "at least" if value >= threshold else "below"
    return f", {side} {threshold:.3g}, the threshold for main text"


def describe_node(page: Page, node: int) -> str:
    """Return a node as a CSS selector such as ``div#story.wide``, cut to `MAX_NAME` characters."""
    # Cached per node, because a node around many blocks may have thousands of attributes.
    known: dict[int, str] = page.cached("described nodes", dict)
    if node not in known:
        attributes = dict(page.nodes.attributes[node])
        parts = [page.nodes.tag[node]]
        parts += ["#" + name for name in attributes.get("id", "")[:_MAX_LOOK].split()[:1]]
        parts += ["." + name for name in attributes.get("class", "")[:_MAX_LOOK].split()[:2]]
        name = "".join(parts)
        known[node] = name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"
    return known[node]


def describe_path(page: Page, node: int) -> str:
    """Return a node with its ancestors, outermost first; at most the five innermost elements."""
    parts: list[str] = []
    while node >= 0 and len(parts) < 5:
        parts.append(describe_node(page, node))
        node = page.nodes.parent[node]
    return " › ".join((["…"] if node >= 0 else []) + parts[::-1])
