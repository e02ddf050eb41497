"""Sets of HTML tag names, each with its reason."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

#: Elements whose content is code, which is never read.
CODE: Final = frozenset({"script", "style"})

#: Elements without an end tag (HTML Living Standard, "void elements").
VOID: Final = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr".split()
)

#: Elements that begin and end a block of text: HTML's block-level elements, the parts of lists and
#: tables, and form controls whose text does not belong to the sentence around them.
BLOCK: Final = frozenset(
    "address article aside blockquote body button canvas caption center dd details dialog dir div "
    "dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr "
    "html iframe legend li listing main menu nav noframes noscript object ol optgroup option p "
    "plaintext pre search section select summary svg table tbody td template textarea tfoot th "
    "thead title tr ul video xmp".split()
)

#: Elements of `BLOCK` that browsers may place within a line of text (HTML Living Standard,
#: rendering: inline and inline-block). `page.text` decides for each element.
INLINE: Final = frozenset(
    "button canvas iframe noscript object select svg template textarea video".split()
)

#: Elements that are separated from the words around them but do not end the block.
APART: Final = frozenset({"input", "label"})

#: Elements that contain a line of text and no blocks.
PARAGRAPH: Final = frozenset("p h1 h2 h3 h4 h5 h6 pre summary legend".split())

#: Elements whose text is not shown as text of the page: the title, templates, options and editable
#: text of forms, fallbacks for scripts, media, gauges and formulas that browsers support, and ruby
#: annotations, which are shown above words.
HIDDEN: Final = frozenset(
    "annotation annotation-xml audio canvas datalist head iframe meter noembed noframes noscript "
    "object progress rp rt rtc select svg template textarea title video".split()
)

#: Elements of `HIDDEN` that contain the text of some pages that scripts build.
SPARE: Final = frozenset({"noscript", "template"})

#: Elements whose white space is significant, so that lines are kept.
PREFORMATTED: Final = frozenset({"pre", "listing", "plaintext", "xmp"})

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

LINK: Final = frozenset({"a"})
TITLE: Final = frozenset({"title"})
META: Final = frozenset({"meta"})


def bits(*sets: Collection[str]) -> dict[str, int]:
    """Return name -> bits of the sets that contain it: 1 for the first set, 2 for the second."""
    return {
        name: sum(1 << k for k, names in enumerate(sets) if name in names)
        for name in frozenset().union(*sets)
    }
