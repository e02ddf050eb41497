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

    def has(self, file: str) -> bool:
        return (FOLDER / self.name / file).is_file()

    def read(self, file: str) -> str:
        """What this file of the page's folder stands for."""
        text = (FOLDER / self.name / file).read_text(encoding="utf-8")
        return text.removesuffix("\n")

    def lines(self, file: str) -> list[str]:
        """The lines of this file; none where the page has no such file."""
        return self.read(file).splitlines() if self.has(file) else []


def gallery(file: str = "page.html") -> list[GalleryPage]:
    """The pages of the gallery that have this file, by name."""
    return [
        GalleryPage(path.parent.name, path.with_name("page.html").read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob(f"*/{file}"))
    ]
