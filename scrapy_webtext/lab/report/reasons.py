"""Explains in sentences why an extractor chose a block or did not, from its signals."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from scrapy_webtext.lab.report.captions import caption
from scrapy_webtext.lab.report.feature_sentences import sentence
from scrapy_webtext.lab.report.locations import describe_node
from scrapy_webtext.page import Page
from scrapy_webtext.results import Reason, Signal


def explain(page: Page, signals: Sequence[Signal]) -> list[list[str]]:
    """Return per block of the page one sentence per signal.

    Signals of blocks are stages: a block that fails one stage has no sentence about the next.
    """
    columns = [_BY_UNIT[s.unit](page, s) for s in decisive(signals) if s.unit != "block"]
    stages = _stages([signal for signal in signals if signal.unit == "block"], len(page.blocks))
    return [
        [*stages[b], *(column[b] for column in columns if column[b])]
        for b in range(len(page.blocks))
    ]


def decisive(signals: Sequence[Signal]) -> list[Signal]:
    """Return the signals less those of lines that only lead to one with a threshold."""
    has_threshold = any(s.unit == "line" and s.threshold is not None for s in signals)
    return [s for s in signals if s.unit != "line" or s.threshold is not None or not has_threshold]


def what_decided(reasons: Sequence[Reason]) -> list[tuple[str, float]]:
    """Return sentences and their effects, the strongest first; those that say the same as one."""
    effects: dict[str, float] = {}
    for reason in reasons:
        said = sentence(reason.feature, reason.value)
        effects[said] = effects.get(said, 0.0) + reason.effect
    return sorted(effects.items(), key=lambda pair: -abs(pair[1]))


def unweighed(signals: Sequence[Signal]) -> list[int]:
    """Return the blocks that were left out before they had a value: 0, and no reasons for it."""
    for signal in signals:
        if signal.unit == "block" and signal.reasons:
            pairs = enumerate(zip(signal.values, signal.reasons, strict=False))
            return [b for b, (value, why) in pairs if value == 0 and not why]
    return []


def _stages(signals: Sequence[Signal], count: int) -> list[list[str]]:
    sentences: list[list[str]] = [[] for _ in range(count)]
    passed = [True] * count
    for signal in signals:
        name = caption(signal.name, signal.unit).value
        for b, value in enumerate(signal.values):
            if passed[b]:
                sentences[b].append(f"{name} {_shown(value)}{_against(value, signal.threshold)}")
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
    values, parent = signal.values, page.nodes.parent
    ranked = sorted((n for n in range(len(values)) if values[n] > 0), key=lambda n: -values[n])
    rank = {n: number for number, n in enumerate(ranked, 1)}
    holder: list[int] = []  # per node, the nearest at or above it that has a value
    for n, above in enumerate(parent):
        holder.append(n if values[n] > 0 or above < 0 else holder[above])
    best = signal.selected[0] if len(signal.selected) == 1 else -1
    sentences = []
    for node in page.blocks.node:
        n = holder[node]
        own = f"in <{describe_node(page, n)}>, {name} {values[n]:.3g}"
        own += f", rank {rank[n]}" if n in rank else ""
        if best >= 0:
            is_inside = best <= node < page.nodes.end[best]
            place = "inside" if is_inside else "outside"
            own = (
                f"{place} <{describe_node(page, best)}>, the element with the greatest "
                f"{name} ({values[best]:.3g})" + ("" if n == best else f"; {own}")
            )
        sentences.append(own)
    return sentences


def _of_tokens(page: Page, signal: Signal) -> list[str]:
    sentences = [""] * len(page.blocks)
    if not signal.selected:
        return sentences
    first, last = signal.selected[0], signal.selected[-1]
    for block, (low, high) in _units_of_blocks(signal).items():
        place = "before" if high < first else "after" if low > last else "inside"
        sentences[block] = (
            f"{_units(signal.unit, low, high)}, {place} the stretch from {first} to {last}"
        )
    return sentences


def _of_lines(page: Page, signal: Signal) -> list[str]:
    name = caption(signal.name, signal.unit).value
    sentences = [""] * len(page.blocks)
    for block, (low, high) in _units_of_blocks(signal).items():
        greatest = max(signal.values[low : high + 1])
        taken = bisect_right(signal.selected, high) - bisect_left(signal.selected, low)
        sentences[block] = (
            f"{_units('line', low + 1, high + 1)}: {name} at most {greatest:.3g}"
            + _against(greatest, signal.threshold)
        )
        if taken and signal.threshold is None:
            sentences[block] += f", {taken} chosen"
    return sentences


def _units_of_blocks(signal: Signal) -> dict[int, tuple[int, int]]:
    """Return per block the first and last of its units."""
    units: dict[int, tuple[int, int]] = {}
    for n, extent in enumerate(signal.blocks):
        if extent is not None:
            for block in range(extent[0], extent[1] + 1):
                units[block] = (units[block][0] if block in units else n, n)
    return units


def _units(unit: str, first: int, last: int) -> str:
    return f"{unit} {first}" if first == last else f"{unit}s {first} to {last}"


def _shown(value: float) -> str:
    return "below 0.001" if 0 < value < 0.001 else f"{value:.3g}"


def _against(value: float, threshold: float | None) -> str:
    if threshold is None:
        return ""
    side = "not below" if value >= threshold else "below"
    return f", {side} the threshold {threshold:.3g}"


_BY_UNIT: Final[dict[str, Callable[[Page, Signal], list[str]]]] = {
    "node": _of_nodes,
    "token": _of_tokens,
    "line": _of_lines,
}
