"""The extractor `bte`: its parameters; the text, links and pictures of the body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, Final, Literal, NamedTuple, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.extractors.bte.plateau import Plateau, best_plateaus
from scrapy_webtext.extractors.bte.tokens import Hidden, Tags, Tokens, Words, read_tokens
from scrapy_webtext.extractors.readings import BY_READING, PerReading, Reading, settle
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Signal

#: What the two readings set; the rest of the parameters are the paper's in both.
READINGS: Final = {
    "words": PerReading(paper="spaces", modern="segments"),
    "hidden": PerReading(paper="read", modern="skipped"),
    "tags": PerReading(paper="source", modern="tree"),
}

#: Elements that refer to something, and the attribute that says to what.
_REFERENCES: Final = {"a": "href", "img": "src"}


class Reference(NamedTuple):
    """A link or a picture in the body."""

    kind: Literal["link", "image"]
    address: str  #: as it stands in the page
    node: int


@dataclass(frozen=True)
class BodyTextExtractor:
    """Main text by the plateau of the tag curve.

    ``score`` is T(i, j) / N, in [0, 1]: the share of the page's N tokens that lie on their side
    of the plateau's ends, words inside and tags outside. Of equally good ends the earliest i
    is taken, then the last j: a sentence is not cut where it breaks even. The paper has no
    parameters; these are readings of it:

    ``reading``
        ``"paper"`` is the letter of the paper in all that follows, ``"modern"`` (default) what
        suits today's pages; a parameter that is given wins over both.
    ``words``
        ``"spaces"``, the letter: words between white space; it loses every Chinese and Japanese
        body. ``"segments"``, modern: scripts that set no spaces between words count one word
        token per ``segment_chars`` characters.
    ``segment_chars``
        Characters per word token of such scripts, at least 1 (default 4).
    ``hidden``
        ``"read"``, the letter: every word counts. ``"skipped"``, modern: text that a browser
        does not show (`Page.hidden`) makes no word tokens and is not extracted.
    ``tags``
        ``"source"``, the letter: the tags of the HTML as it was sent. ``"tree"``, modern: one
        start and one end tag per element, as the parser repaired them.
    ``plateaus``
        So many plateaus at most make the body, those with the greatest gain (default 1, the
        paper's).

    Scripts, styles and comments are neither word nor tag text in either reading.
    """

    name: ClassVar[str] = "bte"

    reading: Reading = "modern"
    words: Words = BY_READING
    segment_chars: int = 4
    hidden: Hidden = BY_READING
    tags: Tags = BY_READING
    plateaus: int = 1

    def __post_init__(self) -> None:
        settle(self, READINGS)
        check_choice("words", self.words, get_args(Words))
        check_choice("hidden", self.hidden, get_args(Hidden))
        check_choice("tags", self.tags, get_args(Tags))
        for name in ("segment_chars", "plateaus"):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise SettingsError(f"{name}={value!r} is not allowed; use an integer of 1 or more")

    def extract(self, page: Page) -> Extraction:
        """Return the text between the plateau's ends; empty for a page without words."""
        tokens = self.tokens(page)
        plateaus = self.plateaus_of(tokens)
        if not plateaus:
            return Extraction("", 0.0, self.name)
        gain = sum(plateau.gain for plateau in plateaus)
        score = (tokens.tags + gain) / (tokens.tags + sum(tokens.words))
        runs = [
            k
            for plateau in plateaus
            for k in range(plateau.first, plateau.last + 1)
            if tokens.words[k]
        ]
        return Extraction.of_runs(page, runs, score, self.name)

    def references(self, page: Page) -> list[Reference]:
        """Return the links and pictures of the body, which the paper calls relevant to it.

        Links with text of the body, and what stands between two texts of it; in page order. The
        page must have been read with its attributes.
        """
        found = []
        first, end = page.runs.first, page.runs.end
        plateaus = self.plateaus_of(self.tokens(page))
        for node, tag in enumerate(page.nodes.tag):
            if tag in _REFERENCES and any(
                first[node] <= p.last and end[node] > p.first for p in plateaus
            ):
                address = dict(page.nodes.attributes[node]).get(_REFERENCES[tag], "").strip()
                if address:
                    found.append(Reference("link" if tag == "a" else "image", address, node))
        return found

    def tokens(self, page: Page) -> Tokens:
        """Return the words and tags of a page."""
        return read_tokens(page, self.words, self.segment_chars, self.hidden, self.tags)

    def plateaus_of(self, tokens: Tokens) -> list[Plateau]:
        """Return the plateaus that make the body, in page order; none without words."""
        return best_plateaus(tokens.words, tokens.tags_before, self.plateaus)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the cumulative number of tags per token (the paper's Fig. 3).

        Selected are the tokens of the plateau, its ends first and last.
        """
        tokens = self.tokens(page)
        curve, blocks = _curve(page, tokens)
        words_before = list(accumulate(tokens.words, initial=0))
        selected: list[int] = []
        for plateau in self.plateaus_of(tokens):
            i = tokens.tags_before[plateau.first] + words_before[plateau.first]
            j = tokens.tags_before[plateau.last] + words_before[plateau.last + 1] - 1
            selected += range(i, j + 1)
        return (
            Signal("cumulative_tags", "token", tuple(curve), None, tuple(selected), tuple(blocks)),
        )


def _curve(page: Page, tokens: Tokens) -> tuple[Sequence[float], Sequence[tuple[int, int] | None]]:
    """Return per token the tags so far, and the block that it lies in."""
    words, tags_before = tokens.words, tokens.tags_before
    curve: list[float] = []
    blocks: list[tuple[int, int] | None] = []
    ends = (*page.blocks.end_run, len(words) + 1)
    seen = block = 0
    for k, (n, before) in enumerate(zip((*words, 0), (*tags_before, tokens.tags), strict=True)):
        block += k == ends[block]
        curve.extend(range(seen + 1, before + 1))
        curve.extend([before] * n)
        blocks.extend([None] * (before - seen))
        blocks.extend([(block, block)] * n)
        seen = before
    return curve, blocks
