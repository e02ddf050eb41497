"""``scrapy webtext diff``: what two outputs have in common, and what changed."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.cli.diff import LARGEST, compare
from tests.cli import webtext

WORDS = "one two three four five six seven eight nine ten"
OLD = [
    ("a", f"{WORDS}\nAnd a menu", True, "0.1.0+aaaaaaaa"),
    ("same", WORDS, True, "0.1.0+aaaaaaaa"),
    ("judged", WORDS, True, None),
    ("failed", "Lost text", False, None),
    ("gone", "Gone", False, None),
    (
        "a",
        f"{WORDS}\nAnd a long menu\n- Home",
        True,
        "0.1.0+aaaaaaaa",
    ),  # again: the last one counts
]
NEW = [
    ("same", WORDS, True, "0.2.0+bbbbbbbb"),
    ("a", f"{WORDS} eleven", True, "0.2.0+bbbbbbbb"),
    ("judged", WORDS, False, None),
    ("failed", None, None, None),
    ("new", "New", True, None),
    ("a", f"{WORDS} eleven", True, "0.2.0+bbbbbbbb"),
]
EXPECTED = """\
old OLD: 0.1.0+aaaaaaaa (3), unknown version (3), without address or text (1)
new NEW: 0.2.0+bbbbbbbb (3), unknown version (3), without address or text (1)

pages in both                      4
only in old                        1
only in new                        1
article only in old                1
article only in new                0
texts changed                      2
words gone                         7
words new                          1

-5 +1 words, F1 0.769: https://example.com/a
  - And a long menu
  + one two three four five six seven eight nine ten eleven

-2 +0 words, F1 0.000: https://example.com/failed
  - Lost text
"""


def rows_of(pages: list[Any]) -> list[dict[str, Any]]:
    names = ("url", "main_text", "has_article", "extractor_version")
    return [dict(zip(names, (f"https://example.com/{p[0]}", *p[1:]), strict=True)) for p in pages]


def write(path: Path, pages: list[Any]) -> Path:
    """Write an output in the form of its ending; JSON lines end with half a line."""
    lines = "\n".join(map(json.dumps, rows_of(pages))).encode() + b'\n{"url": "https://exam'
    path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)
    return path


@pytest.mark.parametrize("old", ["old.jsonl", "old.jl.gz", "."])
def test_the_report_is_the_same_for_all_forms(tmp_path: Path, old: str) -> None:
    (tmp_path / "old").mkdir()
    write(tmp_path / "old" / ("old.jsonl" if old == "." else old), OLD)
    paths = tmp_path / "old" / old, write(tmp_path / "new.ndjson.gz", NEW)
    done = webtext("diff", *paths)
    expected = EXPECTED.replace("OLD", str(paths[0])).replace("NEW", str(paths[1]))
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")
    renamed = (tmp_path / "renamed.jsonl", tmp_path / "report")
    names = ["--url", "main_text", "--text", "url", "-o", renamed[1]]
    assert webtext("diff", write(renamed[0], NEW), renamed[0], *map(str, names)).stdout == ""
    assert "pages in both                      3\n" in renamed[1].read_text()


def test_the_largest_changes_are_shown_first_and_escaped(tmp_path: Path) -> None:
    counts = [*range(1, 40), 0]
    old = [(f"{n}", " x" * 9, True, None) for n in counts]
    new = [(f"{n}", f"\x1b[2J{' x' * 9}{' new' * n}", True, None) for n in counts]
    done = webtext("diff", write(tmp_path / "a.jsonl", old), write(tmp_path / "b.jsonl", new))
    sizes = [line.split(" words")[0] for line in done.stdout.splitlines() if line[:1] == "-"]
    assert sizes == [f"-0 +{n}" for n in range(40, 40 - LARGEST, -1)]
    assert r"\x1b[2J" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a b c", "c a b", (0, 0, 1.0, "a b c", "c a b")),
        ("a a b", "a b", (1, 0, 0.8, "a a b", "a b")),
        ("", "a b", (0, 2, 0.0, "", "a b")),
        ("... !", "...", (0, 0, 1.0, "... !", "...")),
        ("first\nsecond", "second\nfirst", (0, 0, 1.0, "", "")),
        (f"{'x' * 90} old", f"{'x' * 90} new", (1, 1, 0.5, "x" * 19 + " old", "x" * 19 + " new")),
        ("short", f"short\n{'long ' * 40}", (0, 40, 2 / 42, "", "long " * 16)),
    ],
)
def test_a_change_has_its_words_and_pieces(before: str, after: str, expected: Any) -> None:
    found = compare("https://example.com/", before, after)
    assert found[1:] == (*expected[:2], pytest.approx(expected[2]), *expected[3:])
