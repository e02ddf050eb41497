"""The blocks of docs/notebooks.md run one after the other, as cells do."""

import json
from pathlib import Path

import pandas as pd
import pytest

from scrapy_webtext import extract_many
from tests.test_docs import BLOCK, DOCS

SENTENCE = "The harbour was quiet that morning, and nobody in the town saw the boat leave. "
MENU = "<ul>" + "<li><a href='/'>Home</a></li>" * 20 + "</ul>"
PAGES = [f"<title>Boat {n}</title><h1>Boat {n}</h1><p>{SENTENCE * 9}{n}." for n in range(3)]
PAGES.insert(1, MENU)
ADDRESSES = [f"https://example.com/{n}" for n in "abcd"]


def test_the_cells_run_and_each_row_has_the_address_of_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("story.html").write_text(PAGES[0])
    rows = [{"url": u, "html": h} for u, h in zip(ADDRESSES, PAGES, strict=True)]
    Path("pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    names: dict[str, object] = {}
    for block in BLOCK.findall((DOCS / "notebooks.md").read_text("utf-8")):
        exec(compile(block, "notebook", "exec"), names)
    articles = names["articles"]
    assert isinstance(articles, pd.DataFrame)
    kept = dict(zip(articles["url"], articles["title"], strict=True))
    assert kept == {ADDRESSES[0]: "Boat 0", ADDRESSES[2]: "Boat 1", ADDRESSES[3]: "Boat 2"}


def test_a_data_frame_is_refused_with_the_call_that_reads_it() -> None:
    frame = pd.DataFrame({"url": ADDRESSES, "html": PAGES})
    with pytest.raises(TypeError, match=r"not DataFrame: .*zip\("):
        extract_many(frame)
    found = list(extract_many(frame[["html", "url"]].to_numpy().tolist()))
    assert [result.url for result in found] == ADDRESSES
