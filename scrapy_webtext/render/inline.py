"""Reads the content of a block as tokens: text, emphasis, code, links and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, Literal, NamedTuple

from scrapy_webtext.page.encoding import storable_text
from scrapy_webtext.render.outline import Outline
from scrapy_webtext.render.pictures import LINK_SCHEMES, Addresses
from scrapy_webtext.render.tree import Image, Part, read_pieces

Kind = Literal[
    "link", "strong", "em", "del", "q", "sub", "sup", "code", "text", "break", "picture", "math",
    "note",
]  # fmt: skip
Kinds = frozenset[Kind]

#: Order of styles that begin at the same place, outermost first.
ORDER: Final[Sequence[Kind]] = ("link", "strong", "em", "del", "q", "sub", "sup", "code")

_TAGS: Final[Mapping[Kind, str]] = {
    "strong": "b strong",
    "em": "i em cite dfn var",
    "del": "del s strike",
    "q": "q",
    "sub": "sub",
    "sup": "sup",
    "code": "code kbd samp tt",
}
STYLES: Final = {tag: kind for kind, tags in _TAGS.items() for tag in tags.split()}
_STYLED: Final = frozenset({"a", *STYLES})
_QUOTATION_MARKS: Final = tuple("“„«»‘‚\"'「『")
#: Maximum number of next pieces that are searched for the end of a style.
_AHEAD: Final = 20


#: Formulas that authors type into the text and a script renders. A formula does not begin after a
#: backslash: ``\\(`` is a new line of TeX and a bracket.
_TYPED: Final = re.compile(
    r"(?<!\\)\\\((?P<round>(?:[^\\]|\\[^()])+)\\\)|(?<!\\)\\\[(?P<square>(?:[^\\]|\\[^\[\]])+)\\\]"
    r"|(?P<own>\\begin\{(?P<name>(?:align|equation|eqnarray|gather|multline)\*?)\}"
    r"(?:[^\\]|\\(?!(?:begin|end)\{(?P=name)\}))+\\end\{(?P=name)\})"
    r"|\$\$(?P<two>(?:[^$\\]|\\.)+)\$\$|(?<![\\$\w])\$(?P<one>(?:[^$\\\n]|\\.)+)\$(?![\w$])"
)
#: A dollar sign that may end a formula.
_DOLLAR: Final = re.compile(r"\$(?![A-Za-z0-9_])")
#: Names of scripts that render formulas, and of elements of formulas (MkDocs, Sphinx, pandoc).
_SCRIPTS: Final = (b"mathjax", b"katex", b"arithmatex", b"math-container", b'class="math ')
#: A text between dollar signs is TeX if it has one of these characters or is one short word.
_OF_TEX: Final = frozenset("\\^_={}<>+")
_SHORT: Final = re.compile(r"[A-Za-z]\S{0,7}")


class Token:
    """A token of a block: text, line break, picture, formula, note, start or end of a style."""

    def __init__(
        self,
        kind: Kind,
        is_start: bool = True,
        text: str = "",
        image: Image | None = None,
        raw: str = "",
    ) -> None:
        self.kind = kind
        self.is_start = is_start  #: whether a style starts; "math": on its own line
        self.text = text  #: text; for "link" its address, for "math" its TeX
        self.image = image
        self.raw = raw  #: "math" with its delimiters
        self.mark = ""  #: mark of emphasis in Markdown, set when `is_open` becomes False
        self.is_open = False


class Style(NamedTuple):
    """The emphasis and the link of a piece of text."""

    kinds: Kinds = frozenset()
    link: int = -1  #: node of the link; -1 if none
    code: int = -1  #: node of the code; -1 if none


PLAIN: Final = Style()
#: (style, separator from the previous token, token).
Piece = tuple[Style, str, Token]


class InlineReader:
    """Reads the tokens of the parts of an outline; the page caches the styles of its nodes."""

    def __init__(self, outline: Outline) -> None:
        page, nodes = outline.page, outline.page.nodes
        self._outline, self._nodes, self._runs = outline, nodes, page.runs
        self._styled, self._known, self._links, self._addresses = page.cached(
            ("styles", outline.links),
            lambda: (nodes.nearest(_STYLED), dict[int, Style](), dict[int, str](), Addresses(page)),
        )
        self._has_formulas = _has_typed_formulas(outline)

    def tokens(self, part: Part, without: Kinds = frozenset()) -> list[Token]:
        """Return the tokens of a part, correctly nested; leave out the styles ``without``."""
        if part.image is not None:  # a picture between blocks: only its link is kept
            style = self._around(part.image)
            style = style._replace(kinds=style.kinds & {"link"})
            pieces = [(style, "", Token("picture", image=part.image))]
        elif part.runs or part.formulas:
            pieces = self._pieces(part, without)
        else:  # text that is not from the page's blocks
            pieces = [(PLAIN, "", Token("text", text=part.text))]
        opened: list[Kind] = []
        tokens: list[Token] = []
        last = PLAIN
        for number, (style, separator, token) in enumerate(pieces):
            if style is not last:
                ahead = [one.kinds for one, _, _ in pieces[number : number + _AHEAD]]
                tokens += self._switch_styles(opened, last, style, separator, ahead)
            elif separator:
                tokens.append(_separate(separator))
            tokens.append(token)
            last = style
        return [*tokens, *self._switch_styles(opened, last, PLAIN, "", ())] if opened else tokens

    def _pieces(self, part: Part, without: Kinds) -> list[Piece]:
        """Return the texts, pictures, formulas and notes of a block, in order."""
        runs, pictures = self._runs, self._outline.pictures
        is_storable = self._outline.is_storable
        pieces: list[Piece] = []
        for separator, k, formula in read_pieces(runs, part):
            if formula:
                token = Token("math", formula.is_display, formula.tex, raw=formula.text)
                pieces.append((self._style(formula.node, without), separator, token))
                continue
            if k in self._outline.notes:
                if label := self._outline.notes[k]:
                    pieces.append((PLAIN, "", Token("note", text=label)))
                continue
            for image in pictures.get(k, ()):
                style = self._around(image, without)
                pieces.append((style, separator, Token("picture", image=image)))
                separator = separator and " "
            text = runs.text[k] if is_storable else storable_text(runs.text[k])
            style = self._style(runs.node[k], without)
            if text:
                pieces.append((style, separator, Token("text", True, text)))
        return list(_split_typed(pieces)) if self._has_formulas else pieces

    def _switch_styles(
        self, opened: list[Kind], last: Style, style: Style, separator: str, ahead: Sequence[Kinds]
    ) -> list[Token]:
        """Return the tokens between two pieces: ends of styles, the separator, starts of styles.

        ``ahead`` has the styles of the next pieces. If several styles begin, the longest begins
        first.
        """
        wanted = style.kinds
        kept = _count_kept(opened, wanted)
        if "link" in opened[:kept] and style.link != last.link:
            kept = opened.index("link")
        if "code" in opened[:kept] and style.code != last.code and separator:
            kept = opened.index("code")
        tokens: list[Token] = []
        for kind in reversed(opened[kept:]):
            tokens.append(Token(kind, False, self._links[last.link] if kind == "link" else ""))
        del opened[kept:]
        if separator:
            tokens.append(_separate(separator))
        begun = [kind for kind in ORDER if kind in wanted and kind not in opened]
        if len(begun) > 1:
            places = {kind: (kind == "code", -_count_length(kind, ahead)) for kind in begun}
            begun.sort(key=places.__getitem__)
        for kind in begun:
            opened.append(kind)
            tokens.append(Token(kind, True, self._links[style.link] if kind == "link" else ""))
        return tokens

    def _around(self, image: Image, without: Kinds = frozenset()) -> Style:
        """Return the style of a picture; players ignore a surrounding link or code."""
        own: Kinds = frozenset({"link", "code"}) if image.kind == "player" else frozenset()
        return self._style(image.node, without | own)

    def _style(self, node: int, without: Kinds = frozenset()) -> Style:
        below: list[int] = []
        while node >= 0 and (styled := self._styled[node]) not in self._known:
            below.append(styled)
            node = self._nodes.parent[styled]
        style = self._known[styled] if node >= 0 else PLAIN
        for i in reversed(below):
            self._known[i] = style = self._inside(style, i)
        if without.isdisjoint(style.kinds):
            return style
        return style._replace(kinds=style.kinds - without)

    def _inside(self, around: Style, node: int) -> Style:
        tag = self._nodes.tag[node]
        if tag == "a":
            given = self._nodes.attributes.get(node, "href")
            has_target = self._outline.links and given.strip() != "#"
            address = self._addresses.of(given, LINK_SCHEMES) if has_target else None
            if address is None:
                return around
            self._links[node] = address
            return Style(around.kinds | {"link"}, node, around.code)
        kind = STYLES.get(tag)
        if tag == "cite" and self._nodes.attributes.get(node, "class"):
            return around  # in MediaWiki it is a whole reference
        if tag == "q" and (self._nodes.text[node] or "").lstrip()[:1] in _QUOTATION_MARKS:
            return around
        if kind is None or kind in around.kinds or "code" in around.kinds:
            return around
        code = node if kind == "code" else around.code
        return Style(around.kinds | {kind}, around.link, code)


def _split_typed(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces of a block; each formula typed in its text becomes a piece."""
    for (style, kind), some in groupby(pieces, lambda piece: (piece[0], piece[2].kind)):
        if kind != "text" or "code" in style.kinds:
            yield from some
            continue
        _, separators, tokens = zip(*some, strict=True)
        separator, text = separators[0], tokens[0].text
        text += "".join(a + token.text for a, token in zip(separators[1:], tokens[1:], strict=True))
        for piece, tex, is_display in _read_typed(text):
            if tex:
                yield style, separator, Token("math", is_display, tex, raw=piece)
                separator = ""
                continue
            for number, line in enumerate(piece.split("\n")):
                separator = "\n" if number else separator
                if line:
                    yield style, separator, Token("text", True, line)
                    separator = ""


def _separate(separator: str) -> Token:
    return Token("break") if separator == "\n" else Token("text", True, " ")


def _count_length(kind: Kind, ahead: Sequence[Kinds]) -> int:
    """Return how many of the next pieces have a style, up to the first without it."""
    return next((n for n, kinds in enumerate(ahead) if kind not in kinds), len(ahead))


def _count_kept(opened: Sequence[Kind], wanted: Kinds) -> int:
    """Return how many open styles, from the outermost, stay open."""
    kept = 0
    while kept < len(opened) and opened[kept] in wanted:
        kept += 1
    if "code" in opened[:kept] and len(wanted) > kept:  # no style begins inside code
        kept = opened.index("code")
    return kept


def _has_typed_formulas(outline: Outline) -> bool:
    """Return whether texts may contain typed formulas, and a script of the page renders them."""
    page, texts = outline.page, outline.page.runs.text
    dollars = (k for one in outline.parts if one.text.count("$") > 1 for k in one.runs)
    has_dollar = any(_DOLLAR.search(texts[k]) for k in dollars)
    if not has_dollar and not any("\\" in one.text for one in outline.parts):
        return False
    return page.cached("formulas set", lambda: any(map(page.body.lower().__contains__, _SCRIPTS)))


def _read_typed(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield (piece, TeX, is display formula) for the pieces of a text; TeX is "" for text."""
    at = 0
    for match in _TYPED.finditer(text):
        name = match.lastgroup or ""
        tex = match[name]
        if name == "one" and not _is_tex(tex):
            continue
        if at < match.start():
            yield text[at : match.start()], "", False
        yield match[0], " ".join(tex.split()), name in ("square", "two", "own")
        at = match.end()
    yield text[at:], "", False


def _is_tex(text: str) -> bool:
    if text != text.strip():
        return False
    return not _OF_TEX.isdisjoint(text[1:-1]) or _SHORT.fullmatch(text) is not None
