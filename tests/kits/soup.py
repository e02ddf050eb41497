"""Pages for property tests: markup made of bytes by a grammar, and of pieces."""

from typing import Final

from hypothesis import strategies as st

from tests.kits.data import read_json

#: Pieces that mean something to a parser, an extractor or a judge. One byte picks one.
PIECES: Final = tuple(read_json(__file__, "pieces.json"))

LONGEST: Final = 100_000

#: Up to 40 pieces of HTML that decide about containers and web blocks.
SCRAPS = st.lists(
    st.sampled_from(
        "<div> </div> <p> </p> <td> <tr> <table> </table> <a>x </a> <article> </article> <head> "
        "</html> <select> <option> <script> </script> <br> <pre> <section\nclass=a> , 。 word "
        "雨 \n &nbsp; \0 \ud800 rain. One,".split(" ")
    ),
    max_size=40,
).map("".join)


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
    """Return a page of some bytes; the first says whether others are markup, text or both."""
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
