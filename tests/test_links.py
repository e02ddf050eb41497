"""Relative links of the Markdown files lead to files and headings in the repository.

Sphinx checks the same links on the pages of the site.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "example_project/*.md", "scrapy_webtext/**/*.md")
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^()\s]*)\)")


def read_text(path: Path) -> str:
    """Return the text of a file without blocks of code."""
    return re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)


def find_anchors(path: Path) -> set[str]:
    """Return the anchors of headings, as in the repository's browser and on the site."""
    headings = re.findall(r"^#+ (.*)$", read_text(path), re.M)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-") for heading in headings
    }


def test_relative_links_lead_to_files_and_headings() -> None:
    prose = {path: re.sub(r"`[^`\n]*`", "", read_text(path)) for path in FILES}
    links = [(path, link) for path, text in prose.items() for link in LINK.findall(text)]
    assert len(links) > 50
    for path, link in links:
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), f"{path.name}: {link}"
        if anchor:
            assert anchor in find_anchors(target), f"{path.name}: {link}"
