"""Packages of Node are scored next to ours."""

import json
from pathlib import Path

from tests.benchmarks.test_benchmarks import PAGE, run

RIVAL = "readability.js"
#: In place of the packages of Node: returns the page as it is.
STUB = """exports.Readability = class { constructor(html) { this.html = html }
    parse() { return { content: this.html } } }
exports.JSDOM = class { constructor(html) { this.window = { document: html, close() {} } } }"""


def test_rivals_are_scored_on_the_same_pages(tmp_path: Path) -> None:
    text = "The harbour was quiet that morning. " * 20
    page = {"html": PAGE.format(1, text), "text": text, "type": "article", "with": ["QUIET"]}
    corpus, rows = tmp_path / "wcxb_dev.jsonl", tmp_path / "rows.jsonl"
    corpus.write_text(json.dumps({**page, "without": ["next"]}) + "\n")
    for package in ("jsdom", "@mozilla/readability"):
        (tmp_path / "node_modules" / package).mkdir(parents=True)
        (tmp_path / "node_modules" / package / "index.js").write_text(STUB)
    _, lines = run("rivals", "run", corpus, "--systems", "fusion", RIVAL, "--node", tmp_path)
    rows.write_text("\n".join(lines))
    cells, _ = run("rivals", "table", rows)
    found = {name: values for name, *values in cells}
    assert found["F1"] == ["pages", "fusion", RIVAL]
    assert found["wcxb_dev, article"] == ["1", "1.000", "0.988"]  # 120 of 123 words
    assert found["wcxb_dev, with"] == ["", "1.000", "1.000"]
    assert found["wcxb_dev, without"] == ["", "0.000", "1.000"]
