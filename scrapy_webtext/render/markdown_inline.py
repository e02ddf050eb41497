"""Writes the content of a block as Markdown.

A character gets a backslash if CommonMark or GitHub's Markdown would read it as markup at its
position. CommonMark does not recognise a mark of emphasis between a letter and punctuation. In this
case the punctuation is moved out of the emphasis, or the marks are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from scrapy_webtext.render.inline import Token
from scrapy_webtext.render.tree import Image

#: Characters that are markup anywhere, except "_" inside a word and "*" between spaces. (Each
#: alternative begins with a literal, so that `re` skips all other characters.)
_MARKS: Final = re.compile(
    r"\\|`|\*(?:(?<!\s\*)|(?!\s))|_(?:(?<![^\W_]_)|(?![^\W_]))"
    r"|<(?=[a-zA-Z/!?]|$)|&(?=#?[a-zA-Z0-9]*(?:;|$))|\](?=[(\[:])|\[(?=\^)"
)
_MARKS_IN_LINK: Final = re.compile(rf"\[|\]|{_MARKS.pattern}")
#: Starts of lines that are markup: items, headings, quotes, definitions, tasks, underlines, rows.
_LINE_START: Final = re.compile(
    r"\A(?:[-+*_](?:\s|$)|#{1,6}(?:\s|$)|>|:\s|\[[ xX]\](?:\s|$)|(?:=+|-+|_+)\s*$|[|: ]*-[|: -]*$)"
)
_NUMBER_START: Final = re.compile(r"\A(\d{1,9})(?=[.)](?:\s|$))")
_BACKTICKS: Final = re.compile("`+")
#: Positions in TeX that CommonMark would read as a link or a tag. A space there has no effect in
#: TeX.
_NOT_TEX: Final = re.compile(r"(?<=\])(?=[(\[:])|(?<=\[)(?=\^)|(?<=<)(?=[a-zA-Z/!?])")
#: An escaped character of TeX (group 1), or a character that would end the formula.
_TEX_END: Final = re.compile(r"(\\.)|(\$)|\\\Z")
#: "&" in an address that CommonMark would read as the start of an entity.
_ENTITY: Final = re.compile("&(?=#?[a-zA-Z0-9]+;)")
_ADDRESS: Final = {"(": "%28", ")": "%29", "*": "%2A"}

_MARKED: Final = frozenset({"strong", "em", "del"})
#: Punctuation at the start (`_NO_WORD_LAST`: at the end) of a text with a word.
_NO_WORD_FIRST: Final = re.compile(r"\A[\W_]+(?=[^\W_])")
_NO_WORD_LAST: Final = re.compile(r"(?<=[^\W_])[\W_]+\Z")
#: Kind of token -> first and last character of its Markdown.
_EDGES: Final = {
    "code": "``", "picture": "!)", "q": "“”", "sub": "<>", "sup": "<>", "break": "\n\n",
    "math": "$$", "note": "[]",
}  # fmt: skip
_LINK_EDGES: Final = {True: "[[", False: "])"}
#: The adjacent character if it belongs to emphasis whose mark is not yet decided.
_UNKNOWN: Final = "\ufdd0"
#: Maximum number of tokens that are searched for an adjacent character.
_REACH: Final = 8

#: Index of the first or the last character of a text.
Edge = Literal[0, -1]
FIRST: Final = 0
LAST: Final = -1


def write_inline(tokens: Iterable[Token], line_break: str) -> str:
    """Return the Markdown of a block's tokens; starts of lines are not yet escaped."""
    steps = _merge_tokens(tokens)
    kinds = {step.kind for step in steps}
    if not kinds.isdisjoint(_MARKED):
        _set_marks(steps)
    tildes = sum([step.text.count("~") for step in steps if step.kind == "text"])
    marks = ("~" if tildes > 1 or "del" in kinds else "") + ("$" if "math" in kinds else "")
    written: list[str] = []
    in_link = False
    for k, step in enumerate(steps):
        if step.kind == "text" or step.kind in _MARKED:
            # ``step.text`` of emphasis is the punctuation that was moved out of it.
            after = (step.is_start and step.mark) or _find_adjacent(steps, k, FIRST)
            text = escape_text(step.text, after, in_link=in_link, more=marks)
            if text.startswith(("(", "[", ":")) and _find_adjacent(steps, k, LAST) == "]":
                text = f"\\{text}"  # after a note it would be a link
            written += (text, step.mark) if step.is_start else (step.mark, text)
        elif step.kind == "code":
            written.append(write_code_span(step.text) if step.text else "")
        elif step.kind == "note":
            written.append(f"[^{step.text}]")
        elif step.kind == "math" and in_link and "]" in step.text:  # "]" would end the link
            written.append(escape_text(step.raw, "", in_link=True, more=marks))
        elif step.kind == "math":
            sign = "$$" if step.is_start else "$"
            tex = _TEX_END.sub(lambda end: end[1] or (end[2] and r"\$") or "", step.text)
            tex = _NOT_TEX.sub(" ", tex).replace("`", "‘")
            written.append(f"{sign}{tex}{sign}")
        elif step.kind == "break":
            written.append(line_break)
        elif step.kind == "link":
            in_link = step.is_start
            written.append("[" if in_link else f"]({_write_address(step.text)})")
        elif step.kind == "q":
            written.append("“" if step.is_start else "”")
        elif step.image is not None:
            written.append(_picture(step.image, marks))
        else:
            written.append(f"<{'' if step.is_start else '/'}{step.kind}>")
    return "".join(written)


def _picture(image: Image, marks: str) -> str:
    """Return the Markdown of a picture; a player becomes a link."""
    alt = escape_text(image.alt, "", in_link=True, more=marks)
    sign = "" if image.kind == "player" else "!"
    return f"{sign}[{alt}]({_write_address(image.source)})"


def _write_address(address: str) -> str:
    for sign, code in _ADDRESS.items():
        address = address.replace(sign, code)
    return _ENTITY.sub("&amp;", address)


def escape_text(text: str, after: str, *, in_link: bool, more: str = "") -> str:
    """Escape a text for Markdown.

    ``after`` is the next character, "" at the end. ``more`` are further characters that are markup
    in this block.
    """
    marks = _MARKS_IN_LINK if in_link else _MARKS
    escaped = marks.sub(_escape, text)  # faster than a template string
    if escaped.endswith("]") and after in ("(", "[", ":") and not in_link:
        escaped = escaped[:-1] + "\\]"
    for mark in more:
        escaped = escaped.replace(mark, f"\\{mark}")
    if escaped.endswith("!") and after == "[":
        escaped = escaped[:-1] + "\\!"
    return escaped


def _escape(mark: re.Match[str]) -> str:
    return f"\\{mark[0]}"


def escape_line_start(line: str) -> str:
    """Escape the start of a line of a paragraph if it would begin another kind of block."""
    if _LINE_START.match(line):
        return "\\" + line
    return _NUMBER_START.sub(r"\1\\", line, count=1) if line[:1].isdigit() else line


def escape_heading_end(text: str) -> str:
    """Escape "#" at the end of the text of a heading."""
    kept = text.rstrip("#")
    return f"{kept}\\{text[len(kept) :]}" if len(kept) < len(text) else text


def write_code_span(text: str) -> str:
    """Return the Markdown of code within a line."""
    mark = fence(text, 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{mark}{pad}{text}{pad}{mark}"


def fence(text: str, least: int) -> str:
    """Return at least ``least`` backticks, more than the text has in sequence."""
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    return "`" * max(least, longest + 1)


def _merge_tokens(tokens: Iterable[Token]) -> list[Token]:
    """Merge adjacent texts into one token, and all tokens of code into one token."""
    steps: list[Token] = []
    code: Token | None = None
    after_code: list[Token] = []
    texts: list[str] = []  # texts of the last step or of the code, not joined yet
    for token in tokens:
        if code is not None and token.kind == "picture":
            after_code.append(token)
        elif code is not None and not (token.kind == "code" and not token.is_start):
            texts.append(token.text if token.kind in ("text", "math") else " ")
        elif code is not None:
            code.text = "".join(texts)
            steps += [code, *after_code]
            code, after_code, texts = None, [], []
        elif token.kind == "text" and texts:
            texts.append(token.text)
        else:
            if texts:
                steps[-1].text = "".join(texts)
            texts = [token.text] if token.kind == "text" else []
            if token.kind == "code":
                code = token if token.is_start else None
            else:
                token.is_open = token.kind in _MARKED
                steps.append(token)
    if texts and code is None:
        steps[-1].text = "".join(texts)
    return steps


def _set_marks(steps: Sequence[Token]) -> None:
    """Set ``mark`` of each emphasis that Markdown can express, outermost first."""
    begun: list[int] = []
    pairs = []
    for k, step in enumerate(steps):
        if step.kind in _MARKED and step.is_start:
            begun.append(k)
        elif step.kind in _MARKED:
            pairs.append((begun.pop(), k))
    for start, end in sorted(pairs):
        mark = _mark(steps, start, end)
        for k in (start, end):
            steps[k].is_open = False
            steps[k].mark = mark


def _mark(steps: Sequence[Token], start: int, end: int) -> str:
    """Return the mark of emphasis; "" if Markdown would not recognise the emphasis."""
    if _is_after_mark(steps, start):
        return ""  # the two marks would be read as one
    # Read both first: the first call may move punctuation.
    outer = (_find_adjacent(steps, start, LAST), _find_adjacent(steps, end, FIRST))
    if not _is_read(steps, start, outer[0], FIRST) or not _is_read(steps, end, outer[1], LAST):
        return ""
    if steps[start].text or steps[end].text:  # move both quotation marks of a pair
        _move_out(steps, start, FIRST)
        _move_out(steps, end, LAST)
    before = steps[start].text[-1:] or _find_adjacent(steps, start, LAST)
    after = steps[end].text[:1] or _find_adjacent(steps, end, FIRST)
    if steps[start].kind != "em":
        return "**" if steps[start].kind == "strong" else "~~"
    if not _is_outer_word(before) and not _is_outer_word(after):
        return "_"
    return "" if "*" in (before, after) else "*"


def _is_after_mark(steps: Sequence[Token], start: int) -> bool:
    """Return whether other emphasis ends directly before a token."""
    for step in reversed(steps[max(0, start - _REACH) : start]):
        if step.kind not in _MARKED or step.text:
            return False
        if step.mark:
            return not step.is_start
    return False


def _is_read(steps: Sequence[Token], k: int, outer: str, edge: Edge) -> bool:
    """Return whether Markdown recognises a mark; if not, try to move punctuation out.

    ``outer`` is the character outside the emphasis; ``edge`` is the edge of the emphasis.
    """
    inner = _find_adjacent(steps, k, edge)
    if not _is_outer_word(outer) or (_is_inner_word(inner) and inner != _UNKNOWN):
        return True
    return _move_out(steps, k, edge)


def _move_out(steps: Sequence[Token], k: int, edge: Edge) -> bool:
    """Move punctuation at an edge of emphasis out of it; return whether there was any."""
    mark, text = steps[k], steps[k + 1 if edge == FIRST else k - 1]
    pattern = _NO_WORD_FIRST if edge == FIRST else _NO_WORD_LAST
    moved = pattern.search(text.text) if text.kind == "text" else None
    if moved is None:
        return False
    mark.text = mark.text + moved[0] if edge == FIRST else moved[0] + mark.text
    text.text = text.text[moved.end() :] if edge == FIRST else text.text[: moved.start()]
    return True


def _find_adjacent(steps: Sequence[Token], k: int, edge: Edge) -> str:
    """Return the first character after a token or the last one before it; "" if missing."""
    after = steps[k + 1 : k + 1 + _REACH]
    for step in after if edge == FIRST else reversed(steps[max(0, k - _REACH) : k]):
        if step.kind == "text":
            return step.text[edge]
        if step.is_open:
            return _UNKNOWN
        if step.kind not in _MARKED:
            edges = _LINK_EDGES[step.is_start] if step.kind == "link" else _EDGES[step.kind]
            return edges[edge]
        written = step.text + step.mark if step.is_start else step.mark + step.text
        if written:
            return written[edge]
    return ""


def _is_inner_word(char: str) -> bool:
    """Return whether emphasis may begin or end with this character, next to any character."""
    return bool(char) and not char.isspace() and unicodedata.category(char)[0] not in "PS"


def _is_outer_word(char: str) -> bool:
    """Return whether Markdown may treat a character directly outside emphasis as a letter.

    Symbols outside ASCII are letters in CommonMark before 0.31, and punctuation from 0.31 on.
    """
    if not char or char.isspace():
        return False
    return not (char.isascii() or unicodedata.category(char)[0] == "P") or char.isalnum()
