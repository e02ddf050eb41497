"""Bytes of the fuzzer to pages: markup by a grammar, the bytes as they stand, or both mixed."""

from typing import Final

#: Pieces that mean something to a parser, an extractor or a judge. One byte picks one.
PIECES: Final = (
    *(f"<{tag}>" for tag in (
        "p div span a b i br hr h1 h2 h3 ul ol li dl dt dd table tr td th tbody thead form input "
        "select option button textarea label article main section aside nav header footer figure "
        "figcaption blockquote pre code script style noscript title head body html iframe frameset "
        "frame object embed svg math template plaintext xmp img video time address center font "
        "html-x x:y summary details dialog").split()),
    *(f"</{tag}>" for tag in (
        "p div span a b ul li table tr td form article main section aside script style title head "
        "body html pre textarea noscript h1 blockquote font svg select").split()),
    " ", "\n", "\n\n\n", "\t", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\xa0",
    "\u3000", "\0",
    "\u200b", "\ufeff", "\ud800", "\udfff", "\U0001f600", "\u0301", "\u202e", "&amp;",
    "&#0;", "&#xd800;",
    "&nbsp;", "&nosuch;", "&", "<", ">", "\"", "'", "=", "/", "<!--", "-->", "<!", "<![CDATA[",
    "]]>",
    "<?", "?>", "<!DOCTYPE html>", "word ", "Word. ", "the of and to in a is that ",
    "one, two; three. ",
    "Comment Share Tweet Subscribe ", "Copyright 2024 All rights reserved. ", "By Anna Smith ",
    "2024-01-02 10:00 ", "港口很安静，没有人看见。", "その朝、港は静か。",
    "Утром было тихо. ", "كان الميناء. ", "1 2 3 ",
    "!?.,;: ", "http://example.com/a?b=c ", "x" * 50, "x" * 1000,
    "The harbour was quiet that morning, and nobody saw the boat leave. ",
    "<p>The harbour was quiet that morning, and nobody saw the boat leave.</p>",
    "<li><a href='/x'>Link</a></li>", "<div class='content'>", "<div id=\"sidebar\">",
    "<div class='comments'>", "<div style='display:none'>", "<div hidden>", "<p class='",
    "<p title=\"",
    "<a href='", "<meta property='og:type' content='article'>", "<meta charset='utf-16'>",
    "<script type='application/ld+json'>", "{\"@type\": \"NewsArticle\", \"articleBody\": \"",
    "\"}", "{", "}", "[", "]", "null", "<div role='main'>", "<article itemprop='articleBody'>",
    "<time datetime='2024-01-02'>", "<br><br>", "<td>a</td>", "<b>a</b>", "<a>a</a>",
)  # fmt: skip

LONGEST: Final = 100_000


def soup(data: bytes) -> str:
    """Markup by the grammar: each byte picks a piece; 255 repeats the last one 2 to 257 times.

    A repeated piece can be repeated again, up to ``LONGEST`` characters in all: 20,000 nested tags.
    """
    pieces: list[str] = []
    room = LONGEST
    numbers = iter(data)
    for number in numbers:
        if number == 255 and pieces:
            piece = pieces[-1] * (next(numbers, 0) + 1)
        else:
            piece = PIECES[number % len(PIECES)]
        room -= len(piece)
        if room < 0:
            break
        pieces.append(piece)
    return "".join(pieces)


def page_of(data: bytes) -> str | bytes:
    """The first byte says how the others are read."""
    if not data:
        return b""
    how, rest = data[0], data[1:]
    if how < 160:
        return soup(rest)
    if how < 200:
        return rest
    if how < 230:
        return rest.decode("utf-8", "surrogateescape")
    half = len(rest) // 2
    return soup(rest[:half]) + rest[half:].decode("utf-8", "replace")
