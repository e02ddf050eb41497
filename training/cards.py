"""Labels the blocks of recipe pages whose gold is only what their text must contain.

Such a page names its ingredients and steps (``with`` in a corpus), not its whole text. A block that
has one of these segments, or is a piece of one, is content. Buttons of the card, and blocks in
menus and footers, are not. All other blocks are unknown: they do not count in training.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.page import Page
from training.grafts import letters_of
from training.labels import SEPARATOR

#: A segment with fewer letters does not show where the card is.
LEAST_LETTERS: Final = 6
#: A block with fewer letters is no piece of a segment.
LEAST_PIECE: Final = 2
#: A card with more blocks than this per segment has other texts between its parts.
MOST_BLOCKS: Final = 4
#: This many blocks before and after the segments may be buttons of the card.
AROUND: Final = 15
#: The whole text of a card's button.
_BUTTON: Final = re.compile(
    r"(?:½|⅓|\d+(?:[./]\d+)?)\s?x"
    r"|(?:cook|kitchen) mode\b.*|prevent (?:your|the) screen.*|keep (?:your|the) screen.*"
    r"|(?:print|pin|save|rate|share|email|e-mail|jump to|go to|copy|review|scale)\b(?: \w+){0,3}"
    r"|us customary|metric|leave a (?:review|comment)|did you make (?:this|it).*|tap or hover.*"
    r"|(?:click|tap) (?:here )?to .{0,40}|add to (?:\w+ ){1,3}list.*|buy (?:now|ingredients).*"
    r"|drucken|rezept (?:drucken|speichern|bewerten)|.{0,12}einkaufsliste.{0,30}|imprimer.*"
    r"|imprimir.*|guardar.*|stampa.*|drukuj.*|afdrukken|skriv ut|напечатать|распечатать"
    r"|(?:print|rate|save) .{0,20}recipe|\d+ (?:votes?|ratings?|reviews?).*",
    re.IGNORECASE,
)
_AREAS: Final = frozenset({"nav", "footer", "select", "button"})


def card(labelled: LabelledPage, page: Page) -> LabelledPage | None:
    """Return a recipe page with a gold text; ``required`` names the blocks that are known.

    Its type is article, because only articles train the pass over units, and a card is one.
    None if no segment is on the page.
    """
    texts = page.blocks.text
    letters = [letters_of(text) for text in texts]
    segments = [one for one in map(letters_of, labelled.required) if one]
    long = [one for one in segments if len(one) >= LEAST_LETTERS]
    sure = [k for k, block in enumerate(letters) if any(one in block for one in long)]
    if not sure:
        return None
    first, end = sure[0], sure[-1] + 1
    is_close = end - first <= MOST_BLOCKS * max(len(segments), 1)
    content = set(sure)
    if is_close:
        content.update(k for k in range(first, end) if _is_piece(letters[k], segments))
    around = range(max(first - AROUND, 0), min(end + AROUND, len(texts)))
    buttons = {k for k in around if _BUTTON.fullmatch(" ".join(texts[k].split()))}
    known = {*content, *buttons, *_in_areas(page)}
    gold = [texts[k] for k in sorted(content)]
    return replace(
        labelled,
        id=f"{labelled.id}{SEPARATOR}card",
        type="article",
        text="\n".join(gold),
        required=tuple(texts[k] for k in sorted(known)),
    )


def _is_piece(block: str, segments: Iterable[str]) -> bool:
    return len(block) >= LEAST_PIECE and any(block in one for one in segments)


def _in_areas(page: Page) -> Iterator[int]:
    """Yield the blocks in menus and footers."""
    nodes = page.nodes
    inside = bytearray(len(nodes))
    for node, parent in enumerate(nodes.parent):
        is_area = nodes.names[nodes.name[node]] in _AREAS
        inside[node] = is_area or (0 <= parent < node and inside[parent])
    return (block for block, node in enumerate(page.blocks.node) if inside[node])
