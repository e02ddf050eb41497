"""The bounds within which a page's JSON-LD is read, and the marks around it that are not JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

#: Scripts and characters that are read of a page. (The maximum on 4,638 pages: 104 and 105,886.)
MAX_SCRIPTS: Final = 500
MAX_CHARS: Final = 500_000
#: Deeper nesting is not read. (The maximum on the same pages: 12 levels.)
MAX_DEPTH: Final = 64

_CDATA: Final = "<![CDATA["


def bounded(scripts: Iterable[str]) -> Iterator[str]:
    """Yield the scripts of a page within the bounds; one that is too long is left out."""
    left = MAX_CHARS
    for script in islice(scripts, MAX_SCRIPTS):
        if len(script) <= left:
            left -= len(script)
            yield script


def without_cdata(script: str) -> str:
    """Return a script without the CDATA marks of XHTML, which may stand in comments."""
    before, mark, text = script.partition(_CDATA)
    if not mark or before.strip() not in ("", "//", "/*"):
        return script
    text = text.rpartition("]]>")[0] or text
    return text.strip().removeprefix("*/").removesuffix("//").removesuffix("/*")
