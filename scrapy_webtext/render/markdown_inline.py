"""The inside of a block as Markdown.

Emphasis is written where CommonMark would read it as such: its marks must not stand between a
letter and punctuation. There punctuation is moved out of it, or it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.render.escaping import (
    code_span,
    escape_address,
    escape_text,
    is_inner_word,
    is_outer_word,
)
from scrapy_webtext.render.images import Image
from scrapy_webtext.render.inline import (
    BREAK,
    CODE,
    DELETED,
    EMPHASIS,
    LINK,
    PICTURE,
    STRONG,
    SUB,
    SUP,
    TEXT,
    Token,
)

_MARKED: Final = frozenset({STRONG, EMPHASIS, DELETED})
_TAGS: Final = frozenset({SUB, SUP})
_NO_WORD_FIRST: Final = re.compile(r"\A[\W_]+(?=[^\W_])")
_NO_WORD_LAST: Final = re.compile(r"(?<=[^\W_])[\W_]+\Z")
#: What a step that is no text begins and ends with, as others see it.
_FIRST: Final = {LINK: "[", CODE: "`", PICTURE: "!", SUB: "<", SUP: "<", BREAK: "\n"}
_LAST: Final = {LINK: ")", CODE: "`", PICTURE: ")", SUB: ">", SUP: ">", BREAK: "\n"}


@dataclass(slots=True)
class _Step:
    """A token on its way to Markdown."""

    kind: str
    is_start: bool = True
    text: str = ""  #: of TEXT and CODE; of a mark, what was moved out of it; where a link leads
    mark: str = ""  #: of emphasis that is written
    is_open: bool = False  #: not yet decided
    picture: Image | None = None


def markdown_of(tokens: Iterable[Token], line_break: str) -> str:
    """Return the inside of a block, whose line starts are not yet safe."""
    steps = _steps(tokens)
    _decide(steps)
    tildes = sum(step.text.count("~") for step in steps if step.kind == TEXT)
    are_marks = tildes > 1 or any(step.kind == DELETED for step in steps)
    written: list[str] = []
    in_link = False
    for k, step in enumerate(steps):
        if step.kind == TEXT:
            behind = _after(steps, k)
            written.append(escape_text(step.text, behind, in_link=in_link, tildes=are_marks))
        elif step.kind in _MARKED:
            moved = escape_text(step.text, "*", in_link=in_link, tildes=are_marks)
            written += (moved, step.mark) if step.is_start else (step.mark, moved)
        elif step.kind == CODE:
            written.append(code_span(step.text))
        elif step.kind == BREAK:
            written.append(line_break)
        elif step.kind == LINK:
            in_link = step.is_start
            written.append("[" if step.is_start else f"]({escape_address(step.text)})")
        elif step.kind in _TAGS:
            written.append(f"<{'' if step.is_start else '/'}{step.kind}>")
        elif step.picture is not None:
            written.append(picture_markdown(step.picture))
    return "".join(written)


def picture_markdown(image: Image) -> str:
    """Return a picture with its alternative text."""
    alt = escape_text(image.alt, "", in_link=True, tildes=False)
    return f"![{alt}]({escape_address(image.source)})"


def _steps(tokens: Iterable[Token]) -> list[_Step]:
    """Return the steps of these tokens: rows of text are one, code within a line is one."""
    steps: list[_Step] = []
    code: list[str] | None = None
    behind_code: list[_Step] = []
    for token in tokens:
        if token.kind == CODE:
            if token.is_start:
                code = []
            else:
                steps += [_Step(CODE, text="".join(code or ())), *behind_code]
                code, behind_code = None, []
        elif token.kind == PICTURE:
            step = _Step(PICTURE, picture=token.picture)
            (steps if code is None else behind_code).append(step)
        elif code is not None:
            code.append(token.text if token.kind == TEXT else " ")
        elif token.kind == TEXT and steps and steps[-1].kind == TEXT:
            steps[-1].text += token.text
        else:
            step = _Step(token.kind, token.is_start, token.text, is_open=token.kind in _MARKED)
            steps.append(step)
    return steps


def _decide(steps: Sequence[_Step]) -> None:
    """Give marks to the emphasis that can be written, from the outermost in."""
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


def _mark(steps: Sequence[_Step], start: int, end: int) -> str:
    """Return the mark of emphasis, "" where none would be read as such."""
    if _is_behind_mark(steps, start):
        return ""  # the marks would be read as one
    before, after = _before(steps, start), _after(steps, end)
    if not _begins(steps, start, before) or not _ends(steps, end, after):
        return ""
    if steps[start].text or steps[end].text:  # quotation marks, say, go both
        _move_before(steps, start)
        _move_behind(steps, end)
    before, after = _before(steps, start, own=True), _after(steps, end, own=True)
    if steps[start].kind != EMPHASIS:
        return "**" if steps[start].kind == STRONG else "~~"
    if not is_outer_word(before) and not is_outer_word(after):
        return "_"
    return "" if "*" in (before, after) else "*"


#: Stands for emphasis of which is not known whether it is written.
_UNKNOWN: Final = "\ufdd0"


def _is_behind_mark(steps: Sequence[_Step], start: int) -> bool:
    """Whether other emphasis ends right before a step."""
    for step in reversed(steps[max(0, start - 8) : start]):
        if step.kind not in _MARKED or step.text:
            return False
        if step.mark:
            return not step.is_start
    return False


def _begins(steps: Sequence[_Step], start: int, before: str) -> bool:
    """Whether a mark here begins emphasis; punctuation behind it is moved before it."""
    first = _after(steps, start)
    if not is_outer_word(before) or (is_inner_word(first) and first != _UNKNOWN):
        return True
    return _move_before(steps, start)


def _move_before(steps: Sequence[_Step], start: int) -> bool:
    """Move punctuation before the mark that it follows; whether there was any."""
    text = steps[start + 1]
    moved = _NO_WORD_FIRST.match(text.text) if text.kind == TEXT else None
    if moved is None:
        return False
    steps[start].text += moved[0]
    text.text = text.text[moved.end() :]
    return True


def _ends(steps: Sequence[_Step], end: int, after: str) -> bool:
    """Whether a mark here ends emphasis; punctuation before it is moved behind it."""
    last = _before(steps, end)
    if not is_outer_word(after) or (is_inner_word(last) and last != _UNKNOWN):
        return True
    return _move_behind(steps, end)


def _move_behind(steps: Sequence[_Step], end: int) -> bool:
    """Move punctuation behind the mark that it stands before; whether there was any."""
    text = steps[end - 1]
    moved = _NO_WORD_LAST.search(text.text) if text.kind == TEXT else None
    if moved is None:
        return False
    steps[end].text = moved[0] + steps[end].text
    text.text = text.text[: moved.start()]
    return True


def _before(steps: Sequence[_Step], k: int, *, own: bool = False) -> str:
    """Return the last character before a step (with what was moved out of it), "" without."""
    if own and steps[k].text:
        return steps[k].text[-1]
    for step in reversed(steps[max(0, k - 8) : k]):
        if step.kind == TEXT:
            return step.text[-1]
        if step.is_open:
            return _UNKNOWN
        if step.kind not in _MARKED:
            return "[" if step.kind == LINK and step.is_start else _LAST[step.kind]
        if not step.is_start and step.text:
            return step.text[-1]
        if step.mark:
            return step.mark[-1]
        if step.is_start and step.text:
            return step.text[-1]
    return ""


def _after(steps: Sequence[_Step], k: int, *, own: bool = False) -> str:
    """Return the first character after a step (with what was moved out of it), "" without."""
    if own and steps[k].text:
        return steps[k].text[0]
    for step in steps[k + 1 : k + 9]:
        if step.kind == TEXT:
            return step.text[0]
        if step.is_open:
            return _UNKNOWN
        if step.kind not in _MARKED:
            return "]" if step.kind == LINK and not step.is_start else _FIRST[step.kind]
        if step.is_start and step.text:
            return step.text[0]
        if step.mark:
            return step.mark[0]
        if not step.is_start and step.text:
            return step.text[0]
    return ""
