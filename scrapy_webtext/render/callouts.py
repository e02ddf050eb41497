"""Callouts: boxes of documentation with notes, tips and warnings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scrapy_webtext.page import Page
from scrapy_webtext.render.containers import CHILDREN, MAX_DEPTH, Path, Roles
from scrapy_webtext.render.elements import fold_above
from scrapy_webtext.render.outline import Outline
from scrapy_webtext.render.parts import Part

#: The block number of a part that names the kind of a callout.
CALLOUT: Final = -2

#: Kind in class names and titles -> kind in GitHub's Markdown.
KINDS: Final[Mapping[str, str]] = {
    word: kind
    for kind, words in {
        "NOTE": "note info seealso abstract",
        "TIP": "tip hint success",
        "IMPORTANT": "important",
        "WARNING": "warning attention",
        "CAUTION": "caution danger error",
    }.items()
    for word in words.split()
}
#: Class names of boxes next to the class name of their kind: Sphinx, MkDocs, GitHub, Docusaurus,
#: VitePress, AsciiDoc, Starlight, Obsidian, MDN, Bootstrap.
_BOX: Final = re.compile(
    r"(?:^|\s)(?:admonition|theme-admonition|markdown-alert|custom-block|callout|starlight-aside"
    r"|notecard|alert|admonitionblock)(?:$|\s)"
)
_KIND: Final = re.compile(rf"(?:^|[\s_-])({'|'.join(KINDS)})(?=$|\s)")
_TAGS: Final = frozenset({"div", "aside", "section", "blockquote", "details"})
#: Containers that cannot hold a quote.
_NO_QUOTES: Final = frozenset({*CHILDREN, "heading", "code"})


def add_callouts(outline: Outline) -> Outline:
    """Return an outline whose callouts are quotes, each beginning with a part for its kind."""
    kinds = _find_callouts(outline.page)
    if not kinds:
        return outline
    nodes = outline.page.nodes
    around: dict[int, Path] = {-1: ()}

    def add(above: Path, node: int) -> Path:
        return (*above, node) if node in kinds and len(above) < MAX_DEPTH else above

    inside = [
        fold_above(nodes.parent, around, part.node(outline.page), add) for part in outline.parts
    ]
    for i in set(inside[0]).intersection(*inside) if inside else ():
        del kinds[i]  # around all of the text
    parts: list[Part] = []
    begun: set[int] = set()
    for part, callouts in zip(outline.parts, inside, strict=True):
        for callout in callouts:
            if callout not in kinds:
                continue
            path = _insert_callout(part.path, callout, outline.role)
            part = part._replace(path=path)
            if callout not in begun:
                begun.add(callout)
                mark = Part(f"[!{kinds[callout]}]", path[: path.index(callout) + 1], CALLOUT)
                parts.append(mark)
                part = _remove_title(outline.page, part, kinds[callout])
        if part.text or part.image:
            parts.append(part)
    return replace(outline, parts=parts, role={**outline.role, **dict.fromkeys(kinds, "quote")})


def _find_callouts(page: Page) -> dict[int, str]:
    """Return the nodes of callouts, each with its kind."""
    found: dict[int, str] = {}
    for node, name, value in page.nodes.attributes.named({"class", "data-callout"}):
        tag, first = page.nodes.tag[node], page.runs.first[node]
        if tag not in _TAGS or first == page.runs.end[node]:
            continue
        text = value.lower() if name == "class" else f"callout {value.lower()}"
        kind = _KIND.search(text)
        if not kind:
            continue
        title = KINDS.get(_read_label(page, first), "")
        if title or tag == "details" or _BOX.search(text):
            found[node] = title or KINDS[kind[1]]
    return found


def _read_label(page: Page, run: int) -> str:
    return page.runs.text[run].strip(" :!.").lower()


def _remove_title(page: Page, part: Part, kind: str) -> Part:
    """Return the first part of a callout without its first run, if that names only the kind.

    The text of the part is "" if nothing is left.
    """
    if not part.runs or part.formulas or _read_label(page, part.runs[0]) != kind.lower():
        return part
    others = part.runs[1:]
    if not others:
        return part._replace(text="")
    is_word = page.runs.text[others[0]][0].isalnum()
    return part._replace(runs=others) if is_word else part


def _insert_callout(path: Path, callout: int, role: Roles) -> Path:
    """Return a path with a callout, outside of containers that cannot hold a quote."""
    if callout in path:
        return path
    place = next((k for k, i in enumerate(path) if i > callout), len(path))
    while place and role.get(path[place - 1]) in _NO_QUOTES:
        place -= 1
    return (*path[:place], callout, *path[place:])
