"""Small hand-written pages, one behaviour each, with their expected results.

A folder has ``page.html``, which may begin with a comment about its purpose, and the results of
``extract``: ``main_text.txt``, ``main.md``, ``main.html`` and ``blocks.json`` (kind, level, text,
XPath, start and end in the text). ``without.txt`` has hidden text that no extractor may return,
one piece per line. Each file ends with one more line break than the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class GalleryPage:
    name: str
    html: str

    def read(self, file: str) -> str:
        """Return the result in a file of the page's folder, "" if missing."""
        path = FOLDER / self.name / file
        return path.read_text(encoding="utf-8").removesuffix("\n") if path.is_file() else ""


def gallery() -> list[GalleryPage]:
    """Return the pages of the gallery, sorted by name."""
    return [
        GalleryPage(path.name, (path / "page.html").read_text(encoding="utf-8"))
        for path in sorted(FOLDER.iterdir())
        if path.is_dir() and path.name != "__pycache__"
    ]
