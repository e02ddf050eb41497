"""Markdown in which text stays text: what has a meaning in CommonMark or GitHub's gets a backslash.

Only what would be read otherwise is escaped, so that ordinary prose stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

#: Always special; "_" within a word and "*" between blanks are not.
_MARKS: Final = re.compile(
    r"\\|`|(?<!\s)\*|\*(?!\s)|(?<![^\W_])_|_(?![^\W_])"
    r"|<(?=[a-zA-Z/!?]|$)|&(?=#?[a-zA-Z0-9]*(?:;|$))|\](?=[(\[:])"
)
_MARKS_IN_LINK: Final = re.compile(rf"[\[\]]|{_MARKS.pattern}")
_TILDES: Final = re.compile("~")

#: At the start of a line: items, headings, quotes, definitions, tasks, underlines, rows of tables.
_LINE_START: Final = re.compile(
    r"\A(?:[-+*_](?:\s|$)|#{1,6}(?:\s|$)|>|:\s|\[[ xX]\](?:\s|$)|(?:=+|-+|_+)\s*$|[|: ]*-[|: -]*$)"
)
_NUMBER_START: Final = re.compile(r"\A(\d{1,9})(?=[.)](?:\s|$))")
_BACKTICKS: Final = re.compile("`+")
_ADDRESS: Final = str.maketrans({"(": "%28", ")": "%29", "*": "%2A", "_": "_"})


def escape_text(text: str, behind: str, *, in_link: bool, tildes: bool) -> str:
    """Return text as Markdown; ``behind`` is the character that comes after it, "" at the end."""
    escaped = (_MARKS_IN_LINK if in_link else _MARKS).sub(r"\\\g<0>", text)
    if escaped.endswith("]") and behind in ("(", "[", ":") and not in_link:
        escaped = escaped[:-1] + "\\]"
    if tildes:
        escaped = _TILDES.sub(r"\\~", escaped)
    if escaped.endswith("!") and behind == "[":
        escaped = escaped[:-1] + "\\!"
    return escaped


def escape_line_start(line: str) -> str:
    """Return a line of a paragraph so that it does not begin a block of another kind."""
    if _LINE_START.match(line):
        return "\\" + line
    return _NUMBER_START.sub(r"\1\\", line, count=1) if line[:1].isdigit() else line


def escape_heading_end(text: str) -> str:
    """Return the text of a heading, whose closing marks would fall away."""
    kept = text.rstrip("#")
    return f"{kept}\\{text[len(kept) :]}" if len(kept) < len(text) else text


def code_span(text: str) -> str:
    """Return code within a line."""
    fence = "`" * (longest_run(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def longest_run(text: str) -> int:
    """Length of the longest row of backticks."""
    return max(map(len, _BACKTICKS.findall(text)), default=0)


def escape_address(address: str) -> str:
    """Return an address for the brackets of a link."""
    return address.translate(_ADDRESS)


def is_inner_word(char: str) -> bool:
    """Whether emphasis may begin or end at this character of its own, whatever is around it."""
    return bool(char) and not char.isspace() and unicodedata.category(char)[0] not in "PS"


def is_outer_word(char: str) -> bool:
    """Whether a character right outside emphasis is read as a letter by some reader of Markdown.

    Symbols that are not ASCII are letters to CommonMark before 0.31, punctuation since.
    """
    if not char or char.isspace():
        return False
    return not (char.isascii() or unicodedata.category(char)[0] == "P") or char.isalnum()
