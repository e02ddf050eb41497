"""The pages of the papers in docs/algorithms."""

import re
from pathlib import Path

from scrapy_webtext.lab.reproduce import PAPERS

PAGES = Path(__file__).parents[2] / "docs" / "algorithms"


def test_each_paper_has_one_page_of_600_words_with_a_table_of_departures() -> None:
    assert {path.stem for path in PAGES.iterdir()} == set(PAPERS)
    for paper in PAPERS:
        text = (PAGES / f"{paper}.md").read_text("utf-8")
        assert len(re.findall(r"[^\s|]+", text)) <= 600, paper
        table = text.split("## Departures\n\n")[1].split("\n\n")[0].splitlines()
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
        assert rows[0] == ["", "paper", "modern", "why"], paper
        assert all(len(row) == 4 and all(row) for row in rows[2:]), paper
        assert len(rows) > 5, paper
