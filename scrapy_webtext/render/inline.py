"""What stands within a block: text, emphasis, code, links and pictures, as one row of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from scrapy_webtext.page import storable_text
from scrapy_webtext.page.text import SEPARATORS
from scrapy_webtext.render.images import Image
from scrapy_webtext.render.outline import Leaf, Outline, widest_gap
from scrapy_webtext.render.urls import Addresses

LINK: Final = "link"
STRONG: Final = "strong"
EMPHASIS: Final = "emphasis"
DELETED: Final = "deleted"
SUB: Final = "sub"
SUP: Final = "sup"
CODE: Final = "code"
#: From the outermost to the innermost, where several begin at once.
ORDER: Final = (LINK, STRONG, EMPHASIS, DELETED, SUB, SUP, CODE)

STYLES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("b", "strong"), STRONG),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), EMPHASIS),
    **dict.fromkeys(("del", "s", "strike"), DELETED),
    "sub": SUB,
    "sup": SUP,
    **dict.fromkeys(("code", "kbd", "samp", "tt"), CODE),
}

#: Kinds of tokens beside the beginning and end of a style.
TEXT: Final = "text"
BREAK: Final = "break"
PICTURE: Final = "picture"


class Token(NamedTuple):
    """One step through the inside of a block."""

    kind: str  #: TEXT, BREAK, PICTURE, or a style
    is_start: bool = True  #: of a style
    text: str = ""  #: of TEXT; where a LINK leads
    picture: Image | None = None


class Style(NamedTuple):
    """How a piece of text is set off."""

    styles: frozenset[str] = frozenset()
    link: int = -1  #: the node of the link that it stands in


PLAIN: Final = Style()


class InlineReader:
    """Reads the inside of the blocks of one page; the style of a node is found once."""

    def __init__(self, outline: Outline, pictures: Mapping[int, Sequence[Image]]) -> None:
        """``pictures`` has those within blocks, by the run that they stand before."""
        self._page = page = outline.page
        self._is_storable = outline.is_storable
        self._has_links = outline.links
        self._pictures = pictures
        self._known: dict[int, Style] = {-1: PLAIN}
        self._links: dict[int, str] = {}
        self._addresses = Addresses(page) if page is not None else None

    def tokens(self, leaf: Leaf, without: frozenset[str] = frozenset()) -> list[Token]:
        """Return the inside of a block, less these styles; styles are closed as they nest."""
        if self._page is None:
            lines = leaf.text.split("\n")
            return [token for line in lines for token in (_BREAK, Token(TEXT, text=line))][1:]
        return list(self._walk(leaf, without))

    def picture(self, image: Image) -> list[Token]:
        """Return a picture of its own, in the link around it."""
        link = self._style(image.node).link
        token = Token(PICTURE, picture=image)
        if link < 0:
            return [token]
        return [Token(LINK, True, self._links[link]), token, Token(LINK, False, self._links[link])]

    def _walk(self, leaf: Leaf, without: frozenset[str]) -> Iterator[Token]:
        assert self._page is not None
        runs = self._page.runs
        pieces: list[tuple[Style, str, Token]] = []  # style, what parts it from the last, itself
        last = -1
        for k in leaf.runs:
            separator = SEPARATORS[widest_gap(runs, last, k)] if last >= 0 else ""
            for image in self._pictures.get(k, ()):
                style = self._style(image.node, without)
                pieces.append((style, separator, Token(PICTURE, picture=image)))
                separator = separator and " "
            style = self._style(runs.node[k], without)
            text = runs.text[k] if self._is_storable else storable_text(runs.text[k])
            if text:
                pieces.append((style, separator, Token(TEXT, text=text)))
                last = k
        styles = [style.styles for style, _, _ in pieces]
        opened: list[str] = []
        link = -1
        for number, (style, separator, token) in enumerate(pieces):
            yield from self._turn(opened, link, style, separator, styles[number : number + _AHEAD])
            yield token
            link = style.link
        yield from self._turn(opened, link, PLAIN, "", ())

    def _turn(
        self,
        opened: list[str],
        link: int,
        style: Style,
        separator: str,
        ahead: Sequence[frozenset[str]],
    ) -> Iterator[Token]:
        """Yield the ends and beginnings of styles between two pieces, and what parts them.

        ``ahead`` are the styles of the pieces to come, for those that last longest to begin first.
        """
        wanted = style.styles
        kept = _kept(opened, wanted)
        if LINK in opened[:kept] and style.link != link:
            kept = opened.index(LINK)
        for name in reversed(opened[kept:]):
            yield Token(name, False, self._links[link] if name == LINK else "")
        del opened[kept:]
        if separator:
            yield _BREAK if separator == "\n" else Token(TEXT, text=" ")
        begun = [name for name in ORDER if name in wanted and name not in opened]
        if len(begun) > 1:
            begun.sort(key=lambda name: (name == CODE, -_length(name, ahead)))
        for name in begun:
            opened.append(name)
            yield Token(name, True, self._links[style.link] if name == LINK else "")

    def _style(self, node: int, without: frozenset[str] = frozenset()) -> Style:
        assert self._page is not None
        known, parent = self._known, self._page.nodes.parent
        below = []
        while node not in known:
            below.append(node)
            node = parent[node]
        style = known[node]
        for i in reversed(below):
            known[i] = style = self._inside(style, i)
        return style._replace(styles=style.styles - without) if without else style

    def _inside(self, around: Style, node: int) -> Style:
        assert self._page is not None
        assert self._addresses is not None
        nodes = self._page.nodes
        tag = nodes.tag[node]
        if tag == "a":
            given = dict(nodes.attributes[node]).get("href")
            address = self._addresses.link(given) if given and self._has_links else None
            if address is None:
                return around
            self._links[node] = address
            return Style(around.styles | {LINK}, node)
        name = STYLES.get(tag)
        if name is None or name in around.styles or CODE in around.styles:
            return around
        return around._replace(styles=around.styles | {name})


_BREAK: Final = Token(BREAK)
#: Pieces that are looked at to see how long a style lasts.
_AHEAD: Final = 20


def _length(name: str, ahead: Sequence[frozenset[str]]) -> int:
    """In how many pieces in a row a style is found."""
    return next((n for n, styles in enumerate(ahead) if name not in styles), len(ahead))


def _kept(opened: Sequence[str], wanted: frozenset[str]) -> int:
    """How many of the open styles, from the outermost, stay open."""
    kept = 0
    while kept < len(opened) and opened[kept] in wanted:
        kept += 1
    if CODE in opened[:kept] and len(wanted) > kept:  # nothing begins within code
        kept = opened.index(CODE)
    return kept
