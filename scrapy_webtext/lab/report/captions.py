"""The titles, axis labels and explanations of the pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Caption:
    """The texts of one picture."""

    title: str
    value: str  #: what the values are, as on the axis
    text: str
    why: str = "What decided"  #: above the sentences about a block


#: By the name of the signal that the picture is mainly of.
CAPTIONS: Final[Mapping[str, Caption]] = {
    "p_value": Caption(
        "P value of the elements",
        "P value",
        "P is the share of an element's HTML that is text, times the share of the page's "
        "unlinked text that it holds. The element with the greatest P is the main text; "
        "elements stand below the ones that hold them.",
    ),
    "cumulative_tags": Caption(
        "Tags seen so far",
        "tags seen so far",
        "Menus make the curve steep, prose makes it flat. The main text is the plateau between "
        "the two ends: most tags lie outside, most words inside.",
    ),
    "smoothed_text_to_tag_ratio": Caption(
        "Text-to-tag ratio of the lines",
        "smoothed ratio",
        "Characters by tags of each line of HTML: the outline is the ratio itself, the bars the "
        "mean over the line and those beside it. High lines are the main text.",
    ),
    "text_to_tag_ratio": Caption(
        "Text-to-tag ratio of the lines",
        "ratio",
        "Characters by tags of each line of HTML. High lines are the main text.",
    ),
    "posterior": Caption(
        "Posterior probability of the blocks",
        "posterior",
        "How probable each block is main text, given its four features. Pieces of one web "
        "block share a value.",
    ),
    "fusion": Caption(
        "Probability of the blocks",
        "probability",
        "How probable each block is main text, by a model over all signals; 0 for what its tag "
        "leaves out (menus, footers). Point at a block to see what decided. The outline is the "
        "first pass' probability, given before the blocks around were known.",
        "Then, by what the first pass gave to the blocks around it",
    ),
    "first_pass": Caption(
        "Probability by the first pass",
        "first pass",
        "",
        "What decided the first pass, beside the page's other blocks",
    ),
    "text_support": Caption(
        "Supports of the containers",
        "support",
        "SD grows with words and punctuation outside links, with words of the title, and with "
        "the distance from it. The best container and those of the best that stand near it "
        "are the main text.",
    ),
}

#: By the unit, for signals that nobody described.
_BY_UNIT: Final[Mapping[str, str]] = {
    "block": "One bar per block of the page.",
    "line": "One bar per line of the page's HTML.",
    "node": "The elements with the greatest values.",
    "token": "One value per token, tag or word, of the page.",
}


def caption(name: str, unit: str) -> Caption:
    """Return the words for a signal of this name."""
    plain = name.replace("_", " ")
    return CAPTIONS.get(name) or Caption(f"{plain.capitalize()} per {unit}", plain, _BY_UNIT[unit])
