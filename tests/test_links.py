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


def prose_of(path: Path) -> str:
    """The text without code, in which brackets mean nothing."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors_of(path: Path) -> set[str]:
    """The headings' anchors, as repository browsers and the site make them."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-") for heading in headings
    }


def test_relative_links_lead_somewhere() -> None:
    links = [(path, link) for path in FILES for link in LINK.findall(prose_of(path))]
    assert len(links) > 50
    for path, link in links:
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), f"{path.name}: {link}"
        if anchor:
            assert anchor in anchors_of(target), f"{path.name}: {link}"
