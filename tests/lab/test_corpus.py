"""Labelled pages are read from files and folders, and aligned with their gold text."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab.corpus import (
    LabelledPage,
    corpus_name,
    corpus_path,
    match_words,
    read_corpora,
    read_corpus,
    tokens,
)
from tests.kits.data import read_json

CASES = read_json(__file__, "corpus.json")


URL = "https://news.example.co.uk/story"
FIRST = LabelledPage("a/1", "<p>It rained.</p>", "It rained.", URL, "article", ("It",), ("Home",))
SECOND = LabelledPage("2", "<p>a\u2028雨</p>", "雨\u0085b")
LINES = [
    '{"id": "a/1", "html": "<p>It rained.</p>", "text": "It rained.", "type": "article",'
    f'"url": "{URL}", "with": ["It"], "without": ["Home"]}}',
    '{"html": "<p>a\u2028雨</p>", "text": "雨\u0085b"}',
]


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def truth(**entries: object) -> str:
    return json.dumps(entries)


def zipped(text: str, encoding: str = "utf-8") -> bytes:
    return gzip.compress(text.encode(encoding))


#: Files, the path that is read, and its pages as id and text.
LAYOUTS: list[tuple[dict[str, str | bytes], str, list[tuple[str, str]]]] = [
    ({"x.jsonl": "\n".join(LINES)}, "x.jsonl", [("a/1", "It rained."), ("2", "雨\u0085b")]),
    (
        {"x.jsonl.gz": zipped("\n\n".join(LINES))},
        "x.jsonl.gz",
        [("a/1", "It rained."), ("3", "雨\u0085b")],
    ),
    (
        {
            "b.html": "<p>second</p>",
            "b.txt": "\ufeffsecond",
            "a.html.gz": zipped('<meta charset="latin1"><p>né</p>', "latin-1"),
            "a.txt": "né",
        },
        "",
        [("a", "né"), ("b", "second")],
    ),
    (
        {
            "html/f00.html.gz": zipped("<p>Text</p>"),
            "ground-truth.json": truth(f00={"articleBody": "Text", "url": URL, "headline": "x"}),
        },
        "",
        [("f00", "Text")],
    ),
]


@pytest.mark.parametrize(
    ("files", "name", "expected"), LAYOUTS, ids=["lines", "gzip", "folder", "truth"]
)
def test_pages_of_each_layout_are_read_in_order(
    tmp_path: Path, files: dict[str, str | bytes], name: str, expected: list[tuple[str, str]]
) -> None:
    path = write(tmp_path, files) / name
    pages = list(read_corpus(path))
    assert [(page.id, page.text) for page in pages] == expected
    assert all(page.text in page.html for page in pages if page.id in ("a", "b", "f00"))
    assert [page.id for page in read_corpora([path, path])] == 2 * [page.id for page in pages]


def test_a_line_may_hold_all_fields_and_separators_in_strings(tmp_path: Path) -> None:
    write(tmp_path, {"x.jsonl": "\n".join(LINES)})
    assert list(read_corpus(tmp_path / "x.jsonl")) == [FIRST, SECOND]


def test_a_type_is_corrected_in_its_corpus_only(tmp_path: Path) -> None:
    line = json.dumps({"id": "nw-10", "type": "collection", "html": "<p>a", "text": ""})
    write(tmp_path, {"news.jsonl": line, "other.jsonl": line})
    types = [
        page.type for name in ("news", "other") for page in read_corpus(tmp_path / f"{name}.jsonl")
    ]
    assert types == ["article", "collection"]


def test_corpora_go_by_path_or_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBTEXT_CORPORA", str(tmp_path))
    assert corpus_path("rivers") == tmp_path / "rivers.jsonl.gz"
    assert corpus_path(str(tmp_path)) == tmp_path
    monkeypatch.delenv("WEBTEXT_CORPORA")
    assert corpus_path("rivers").name == "rivers"
    assert corpus_name(tmp_path / "rivers.jsonl.gz") == "rivers"


#: Pages next to the folder ``c/html`` and below it.
PAGES_OUTSIDE: dict[str, str | bytes] = {
    "c/secret.html": "secret",
    "c/html/f00.html": "<p>Text</p>",
    "c/html/a/b.html": "<p>x",
}


@pytest.mark.parametrize(
    ("files", "name", "message"),
    [
        ({}, "nowhere", r"No corpus at .*nowhere"),
        ({"x.jsonl": "\n"}, "x.jsonl", "it is empty"),
        ({"x.jsonl": LINES[0] + "\n{"}, "x.jsonl", "x.jsonl, line 2: no JSON"),
        ({"x.jsonl": "[1]"}, "x.jsonl", "line 1: expected a JSON object"),
        ({"x.jsonl": '{"text": ""}'}, "x.jsonl", "'html' must be a string, got None"),
        ({"x.jsonl": '{"html": "", "text": 1}'}, "x.jsonl", "'text' must be a string, got 1"),
        (
            {"x.jsonl": '{"html": "", "text": "", "with": "x"}'},
            "x.jsonl",
            "'with' must be a list of strings",
        ),
        ({"x.jsonl": b"\xff"}, "x.jsonl", "line 1: not UTF-8"),
        ({}, "", r"neither \*\.html nor ground-truth\.json"),
        ({"x.html": "x"}, "", r"write it to x\.txt"),
        (
            {"ground-truth.json": truth(x={"articleBody": "t"})},
            "",
            r"'x': no such \.html\.gz in html/",
        ),
        ({"ground-truth.json": truth(x=1)}, "", "expected an object with articleBody"),
        ({"bad.jsonl.gz": zipped("{}")[:-9]}, "bad.jsonl.gz", r"bad\.jsonl\.gz cannot be read"),
        # A key that is a path or a pattern reads no file.
        *(
            (
                {**PAGES_OUTSIDE, "c/ground-truth.json": truth(**{key: {"articleBody": "t"}})},
                "c",
                r"next to ground-truth\.json",
            )
            for key in ("../secret", "a/b", "*")
        ),
    ],
)
def test_the_error_names_the_place_that_cannot_be_read(
    tmp_path: Path, files: dict[str, str | bytes], name: str, message: str
) -> None:
    with pytest.raises(CorpusError, match=message):
        list(read_corpus(write(tmp_path, files) / name))


GOLD = """The river rose through the night and by morning the lower road was gone.
Background
Nobody was hurt, the mayor said, and the school will open again on Monday."""
RIVER, BACKGROUND, NOBODY = GOLD.split("\n")
ZH = "昨夜河水上涨，下游道路被淹没。\n学校周一重新开放。"


@pytest.mark.parametrize(("text", "expected"), CASES["words"])
def test_words_are_lower_cased_and_split_by_script(text: str, expected: str) -> None:
    assert tokens(text) == expected.split()


@pytest.mark.parametrize(("blocks", "gold", "content"), CASES["content"])
def test_blocks_of_the_gold_text_are_content(blocks: list[str], gold: str, content: str) -> None:
    assert "".join(f"{match.share > 0.5:d}" for match in match_words(blocks, gold)) == content


def test_changed_words_and_very_frequent_words_are_unmatched() -> None:
    changed = GOLD.replace("morning", "dawn").replace("school", "library")
    assert match_words([changed], GOLD) == [(29, 27)]
    # Matches per word of the page are bounded, or this would be a million pairs.
    assert match_words(["the " * 1_000], "the " * 1_000) == [(1_000, 0)]


words = st.lists(st.sampled_from("a b c d the 河 水".split()), max_size=30).map(" ".join)


@given(st.lists(words, max_size=40), words)
def test_matched_words_are_in_the_gold_text_in_order(blocks: list[str], gold: str) -> None:
    matches = match_words(blocks, gold)
    assert len(matches) == len(blocks)
    assert all(0 <= match.matched <= match.words for match in matches)
    assert sum(match.matched for match in matches) <= len(tokens(gold))
    page = [word for block in blocks for word in tokens(block)]
    found = zip(page, match_words(page, gold), strict=True)
    rest = iter(tokens(gold))
    assert all(word in rest for word, match in found if match.matched)
