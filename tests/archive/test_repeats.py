"""Blocks that a site repeats, marked in the output of a run."""

from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq

from scrapy_webtext.archive import ExtractionSettings
from scrapy_webtext.archive.main import run_archive
from scrapy_webtext.archive.parts import read_stamp
from tests.archive import SENTENCE, line, write
from tests.cli import webtext

BOX = "Join our readers and get the letter of the week, each Monday, free of charge."


def page(number: int, host: str = "a.example") -> bytes:
    own = "".join(f"<p>Part {number}-{k}. {SENTENCE * 3}</p>" for k in range(4))
    html = f"<article><h1>News {number}</h1>{own}<p>{BOX}</p></article>"
    return line(number, url=f"https://{host}/{number}", html=html)


def marked(output: Path) -> dict[str, list[str]]:
    rows = ds.dataset(output).to_table(["url", "blocks"]).to_pylist()
    return {
        row["url"]: [block["text"] for block in row["blocks"] or () if block["is_repeated"]]
        for row in rows
    }


def test_blocks_are_marked_over_all_parts_and_the_same_again_changes_nothing(
    tmp_path: Path,
) -> None:
    inputs, output = tmp_path / "in", tmp_path / "out"
    for part in range(3):
        content = page(part) + (page(part, "b.example") if part else b"")
        write(inputs / f"{part}.jsonl", content)
    settings = ExtractionSettings("fusion", formats=("blocks",))
    for _ in range(2):
        assert run_archive([str(inputs)], str(output), settings, marks_repeats=True) == 0
        found = marked(output)
        assert {url for url, blocks in found.items() if blocks == [BOX]} == {
            f"https://a.example/{n}" for n in range(3)
        }
        assert all(not blocks for url, blocks in found.items() if "b.example" in url)
    parts = sorted(output.rglob("*.parquet"))
    assert len(parts) == 3
    assert all(read_stamp(path) for path in parts)
    texts = ds.dataset(output).to_table()["main_text"].to_pylist()
    assert all(BOX in text for text in texts)


def test_the_setting_marks_and_parts_without_blocks_stay(tmp_path: Path) -> None:
    write(tmp_path / "in.jsonl", b"".join(map(page, range(4))))
    options = ("-s", "WEBTEXT_REPEATS=mark")
    for name, include in (("with", ("--include", "blocks")), ("without", ())):
        done = webtext("archive", "in.jsonl", "-o", name, *include, *options, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    assert list(marked(tmp_path / "with").values()) == [[BOX]] * 4
    (path,) = (tmp_path / "without").rglob("*.parquet")
    assert pq.read_table(path).num_rows == 4
