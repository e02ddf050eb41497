"""The links and the pictures of a text as data."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy_webtext.render.inline import InlineReader
from scrapy_webtext.render.outline import Outline, add_pictures


@dataclass(frozen=True, slots=True)
class Link:
    """A link in the main text."""

    text: str  #: of the link, white space folded
    url: str  #: absolute if the page's address is known
    block: int  #: the number of its block in ``blocks``


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in the main text."""

    url: str  #: absolute if the page's address is known
    alt: str
    caption: str  #: empty without one
    block: int  #: the number of its block in ``blocks``, or of the block before it; -1 for none


def render_links(outline: Outline) -> tuple[Link, ...]:
    """Return the links of an outline, in order."""
    reader = InlineReader(outline)
    found: list[Link] = []
    for number, part in enumerate(outline.parts):
        pieces: list[str] = []
        for token in reader.tokens(part):
            if token.kind == "link" and token.is_start:
                pieces = []
            elif token.kind == "link":
                found.append(Link(" ".join("".join(pieces).split()), token.text, number))
            else:
                pieces.append(" " if token.kind == "break" else token.raw or token.text)
    return tuple(found)


def render_images(outline: Outline) -> tuple[Picture, ...]:
    """Return the pictures of an outline, in order."""
    whole = add_pictures(outline)
    captions: dict[int, str] = {}  # figure -> its <figcaption>; without one, its first text
    for part in whole.parts:
        for figure, inner in zip(part.path, (*part.path[1:], -1), strict=False):
            if part.text and whole.role[figure] == "figure":
                captions.setdefault(figure, part.text)
                if whole.role.get(inner) == "caption":
                    captions[figure] = part.text
    found: list[Picture] = []
    number = -1
    for part in whole.parts:
        images = [part.image] if part.image is not None else []
        if not images:
            number += 1
            images = [image for run in part.runs for image in whole.pictures.get(run, ())]
        for image in images:
            caption = next((captions[i] for i in reversed(part.path) if i in captions), "")
            found.append(Picture(image.source, image.alt, caption, number))
    return tuple(found)
