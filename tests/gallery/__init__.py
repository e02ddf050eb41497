"""Small hand-written pages, one behaviour each, with what is expected of them.

A folder has ``page.html`` and what ``extract`` gives of it: ``main_text.txt``. Where the page has
text that no extractor may give, ``without.txt`` has it, a piece a line. ``main.md``,
``main.html`` and ``blocks.json`` (kind, level, text, XPath, first and last character in the text)
are the other renderings of the same text. Each file ends with one line end more than what it
stands for. A page may begin with a comment that says what it is for.
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
        """What this file of the page's folder stands for; "" if there is no such file."""
        path = FOLDER / self.name / file
        return path.read_text(encoding="utf-8").removesuffix("\n") if path.is_file() else ""


def gallery() -> list[GalleryPage]:
    """The pages of the gallery, by name."""
    return [
        GalleryPage(path.name, (path / "page.html").read_text(encoding="utf-8"))
        for path in sorted(FOLDER.iterdir())
        if path.is_dir() and path.name != "__pycache__"
    ]
