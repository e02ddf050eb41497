"""Tables of figures in the docs have their command and the day of the measurement."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Pages whose figures other tests compare with output of commands, or without measurements.
COMPARED = {"command.md", "tutorial.md", "settings.md"}
PAGES = sorted(
    path
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    if path.name not in COMPARED
)
DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
COMMAND = re.compile(
    r"python -m |scrapy webtext |pytest |\.md#|\.md\)|\]\(#"  # or the page that has the command
    r"|[Cc]ommit [0-9a-f]{7}"  # or the last commit that could measure it
)
#: A row of a table with two measured numbers, such as "| 0.793 | 12.5 |".
ROW = re.compile(r"^\|.*\d\.\d+.*\|.*\d\.\d+.*\|$", re.MULTILINE)


def sections(page: Path) -> list[tuple[str, str]]:
    """Return the headings of level 2 of a page, each with its text."""
    beginning, *rest = re.split(r"^## ", page.read_text("utf-8"), flags=re.MULTILINE)
    return [(text.partition("\n")[0], text) for text in (beginning, *rest)]


def test_a_table_of_figures_has_its_command_and_its_day() -> None:
    measured = [
        (f"{page.relative_to(ROOT)}: {heading}", text)
        for page in PAGES
        for heading, text in sections(page)
        if len(ROW.findall(text)) > 1
    ]
    assert len(measured) > 5
    assert [
        name for name, text in measured if not (COMMAND.search(text) and DAY.search(text))
    ] == []
