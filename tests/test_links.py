"""Relative links of the Markdown files lead to a file, and to a heading where they name one.

Sphinx checks the pages of the site; these are the same links, as they are read in the repository.
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


def text_of(path: Path) -> str:
    """Return the text without blocks of code."""
    return re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)


def anchors_of(path: Path) -> set[str]:
    """The headings' anchors, as repository browsers and the site make them."""
    headings = re.findall(r"^#+ (.*)$", text_of(path), re.M)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-") for heading in headings
    }


def test_relative_links_lead_somewhere() -> None:
    prose = {path: re.sub(r"`[^`\n]*`", "", text_of(path)) for path in FILES}
    links = [(path, link) for path, text in prose.items() for link in LINK.findall(text)]
    assert len(links) > 50
    for path, link in links:
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), f"{path.name}: {link}"
        if anchor:
            assert anchor in anchors_of(target), f"{path.name}: {link}"
