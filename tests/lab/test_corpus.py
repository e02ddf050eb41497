"""Labelled pages are read from files and folders, and aligned with their gold text."""

from __future__ import annotations

import gzip
import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab import corpus
from scrapy_webtext.lab.corpus import (
    LabelledPage,
    content_mask,
    count_pages,
    match_words,
    read_corpora,
    read_corpus,
    tokens,
)

FIRST = {
    "id": "a/1",
    "url": "https://news.example.co.uk/story",
    "type": "article",
    "html": "<p>One day it rained.</p>",
    "text": "One day it rained.",
    "with": ["rained"],
    "without": ["Home"],
}
SECOND = {"html": "<p>雨</p>", "text": "雨"}


def write_lines(path: Path, *entries: object) -> Path:
    body = "".join(json.dumps(entry) + "\n" for entry in entries).encode()
    path.write_bytes(gzip.compress(body) if path.suffix == ".gz" else body)
    return path


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.jsonl.gz"])
def test_json_lines_are_read_in_order_plain_or_gzipped(tmp_path: Path, name: str) -> None:
    first, second = read_corpus(write_lines(tmp_path / name, FIRST, SECOND))
    assert first == LabelledPage(
        "a/1",
        "<p>One day it rained.</p>",
        "One day it rained.",
        "https://news.example.co.uk/story",
        "article",
        ("rained",),
        ("Home",),
    )
    assert second == LabelledPage("2", "<p>雨</p>", "雨")


def test_a_line_separator_inside_a_string_ends_no_line(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"html": "a\u2028b", "text": "a\u0085b"}\n', encoding="utf-8")
    assert [page.html for page in read_corpus(path)] == ["a\u2028b"]


def test_a_folder_pairs_each_page_with_the_text_beside_it_by_name(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text("<p>second</p>")
    (tmp_path / "b.txt").write_text("second", encoding="utf-8-sig")
    (tmp_path / "a.html.gz").write_bytes(
        gzip.compress('<meta charset="latin1"><p>né</p>'.encode("latin-1"))
    )
    (tmp_path / "a.txt").write_text("né", encoding="utf-8")
    pages = list(read_corpus(tmp_path))
    assert [(page.id, page.text) for page in pages] == [("a", "né"), ("b", "second")]
    assert pages[0].html.endswith("<p>né</p>")


def test_the_layout_with_a_ground_truth_file_is_read_by_id(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "f00.html.gz").write_bytes(gzip.compress(b"<p>Text</p>"))
    truth = {"f00": {"articleBody": "Text", "url": "https://example.org/1", "headline": "x"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(truth))
    assert list(read_corpus(tmp_path)) == [
        LabelledPage("f00", "<p>Text</p>", "Text", "https://example.org/1", "article")
    ]


def test_several_corpora_are_read_one_after_the_other(tmp_path: Path) -> None:
    paths = [
        write_lines(tmp_path / "x.jsonl", FIRST),
        write_lines(tmp_path / "y.jsonl.gz", SECOND, FIRST),
    ]
    assert [page.id for page in read_corpora(paths)] == ["a/1", "1", "a/1"]


@pytest.mark.parametrize(
    ("page", "domain"),
    [
        (LabelledPage("1", "", "", "https://news.example.co.uk/story"), "example.co.uk"),
        (LabelledPage("1", "", "", "http://localhost:8000/a"), "localhost"),
        (LabelledPage("1", "", "", "http://192.0.2.7/a"), "192.0.2.7"),
        (LabelledPage("1", "", "", "http://wiki.intern.corp-net/a"), "wiki.intern.corp-net"),
        (LabelledPage("press/7", "", ""), "press"),
        (LabelledPage("7", "", ""), "7"),
    ],
)
def test_pages_are_grouped_by_registered_domain_or_by_the_folder_in_their_id(
    page: LabelledPage, domain: str
) -> None:
    assert page.domain == domain


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "pages.jsonl, line 2: no JSON"),
        (b"[1]", "line 2: expected a JSON object"),
        (b'{"text": ""}', "line 2: 'html' must be a string, got None"),
        (b'{"html": "", "text": 1}', "line 2: 'text' must be a string, got 1"),
        (b'{"html": "", "text": "", "with": "x"}', "line 2: 'with' must be a list of strings"),
        (b"\xff", "line 2: not UTF-8"),
        (b"[" * 100_000, "line 2: no JSON"),
    ],
)
def test_a_broken_line_is_named_with_its_number(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(json.dumps(SECOND).encode() + b"\n" + line + b"\n")
    with pytest.raises(CorpusError, match=message):
        list(read_corpus(path))


def test_what_is_no_corpus_is_said_before_any_page(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl.gz").write_bytes(gzip.compress(b"{}")[:-9])
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "lonely").mkdir()
    (tmp_path / "lonely" / "x.html").write_text("x")
    (tmp_path / "truth").mkdir()
    (tmp_path / "truth" / "ground-truth.json").write_text('{"x": {"articleBody": "t"}}')
    with pytest.raises(CorpusError, match=r"No corpus at .*nowhere"):
        read_corpus(tmp_path / "nowhere")
    with pytest.raises(CorpusError, match=r"bad\.jsonl\.gz cannot be read"):
        list(read_corpus(tmp_path / "bad.jsonl.gz"))
    with pytest.raises(CorpusError, match="it is empty"):
        list(read_corpus(tmp_path / "empty.jsonl"))
    with pytest.raises(CorpusError, match=r"neither \*\.html nor ground-truth\.json"):
        list(read_corpus(tmp_path))
    with pytest.raises(CorpusError, match=r"belongs into x\.txt"):
        list(read_corpus(tmp_path / "lonely"))
    with pytest.raises(CorpusError, match=r"page 'x': no html/x\.html\.gz"):
        list(read_corpus(tmp_path / "truth"))


@pytest.mark.parametrize(
    "key",
    ["../secret", "../../secret", "/etc/hostname", "a**b", "**", "*", "[a", "", ".", "..", "a/b",
     "a\0b", "\x1b[31m", "\ud83d", "a" * 5_000],
)  # fmt: skip
def test_a_key_that_is_a_path_or_a_pattern_reads_nothing(tmp_path: Path, key: str) -> None:
    (tmp_path / "secret.html").write_text("secret")
    folder = tmp_path / "corpus"
    (folder / "html" / "a").mkdir(parents=True)
    (folder / "html" / "f00.html").write_text("<p>Text</p>")
    (folder / "html" / "a" / "b.html").write_text("<p>Text</p>")
    (folder / "ground-truth.json").write_text(json.dumps({key: {"articleBody": "t"}}))
    with pytest.raises(CorpusError, match=r"beside ground-truth\.json") as caught:
        list(read_corpus(folder))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize("link", ["html/f00.html", "ground-truth.json", "x.html", "x.txt"])
def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path, link: str) -> None:
    folder = tmp_path / "corpus"
    truth = {"f00": {"articleBody": "Text"}}
    if "x" in link:
        files = {"x.html": "<p>Text</p>", "x.txt": "Text"}
    else:
        files = {"ground-truth.json": json.dumps(truth), "html/f00.html": "<p>Text</p>"}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert [page.text for page in read_corpus(folder)] == ["Text"]
    outside = (folder / link).rename(tmp_path / "outside")
    (folder / link).symlink_to(outside)
    with pytest.raises(CorpusError, match="leads out of"):
        list(read_corpus(folder))


def test_a_page_that_is_no_file_is_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.html")
    (tmp_path / "y.html").mkdir()
    with pytest.raises(CorpusError, match="No pages in"):
        list(read_corpus(tmp_path))


@pytest.mark.parametrize("name", ["x.html.gz", "x.jsonl.gz"])
def test_what_swells_when_unpacked_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(corpus, "MAX_BYTES", 2**20)
    (tmp_path / name).write_bytes(gzip.compress(bytes(2**21)))
    (tmp_path / "x.txt").touch()
    with pytest.raises(CorpusError, match=f"{name} has more than 1 MB in one page or line"):
        list(read_corpus(tmp_path if "html" in name else tmp_path / name))


def test_pages_are_counted_in_every_layout(tmp_path: Path) -> None:
    assert count_pages(write_lines(tmp_path / "pages.jsonl.gz", FIRST, SECOND)) == 2
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "x.html").touch()
    (folder / "y.html.gz").touch()
    assert count_pages(folder) == 2
    (folder / "ground-truth.json").write_text('{"a": {}, "b": {}, "c": {}}')
    assert count_pages(folder) == 3
    assert count_pages(tmp_path / "none") == 0


GOLD = """The river rose through the night and by morning the lower road was gone.
Background
Nobody was hurt, the mayor said, and the school will open again on Monday."""


def test_words_are_lower_cased_and_unspaced_scripts_are_split_by_character() -> None:
    assert tokens("It's 5 p.m., Zürich!") == ["it", "s", "5", "p", "m", "zürich"]
    assert tokens("GNE 测试 ok中") == ["gne", "测", "试", "ok", "中"]
    assert tokens("ราคาx") == ["ร", "า", "ค", "า", "x"]
    assert tokens("한국 뉴스") == ["한국", "뉴스"]  # Korean is written with spaces


def test_blocks_of_the_gold_text_are_content_and_what_stands_between_is_not() -> None:
    blocks = [
        "Home News Sport",
        "The river rose through the night and by morning the lower road was gone.",
        "The most read stories of the night",
        "Background",
        "Nobody was hurt, the mayor said, and the school will open again on Monday.",
        "The background of the school",
        "",
    ]
    assert content_mask(blocks, GOLD) == [False, True, False, True, True, False, False]


def test_common_words_out_of_order_make_no_content() -> None:
    bag = " ".join(reversed(tokens(GOLD)))
    assert match_words([bag], GOLD)[0].share < 0.5


def test_a_teaser_and_a_footer_that_repeat_the_text_leave_it_to_the_article() -> None:
    first, _, last = GOLD.split("\n")
    blocks = [first, "Skip to content", *GOLD.split("\n"), "About us", last]
    assert content_mask(blocks, GOLD) == [False, False, True, True, True, False, False]


def test_a_word_changed_in_mid_sentence_costs_that_word_only() -> None:
    changed = GOLD.replace("morning", "dawn").replace("school", "library")
    (match,) = match_words([changed], GOLD)
    assert (match.words, match.matched) == (29, 27)


def test_chinese_is_aligned_by_characters() -> None:
    gold = "昨夜河水上涨，下游道路被淹没。\n学校周一重新开放。"
    blocks = ["首页 新闻", "昨夜河水上涨，下游道路被淹没。", "相关新闻", "学校周一重新开放。"]
    assert content_mask(blocks, gold) == [False, True, False, True]


words = st.lists(st.sampled_from("a b c d the 河 水".split()), max_size=30).map(" ".join)


@given(st.lists(words, max_size=8), words)
def test_no_block_has_more_gold_words_than_words_and_all_together_no_more_than_the_gold(
    blocks: list[str], gold: str
) -> None:
    matches = match_words(blocks, gold)
    assert len(matches) == len(blocks)
    assert all(0 <= match.matched <= match.words for match in matches)
    assert sum(match.matched for match in matches) <= len(tokens(gold))


def is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


@given(st.lists(st.sampled_from("a b c d".split()), max_size=40), words)
def test_the_matched_words_stand_in_the_gold_text_in_order(page: list[str], gold: str) -> None:
    matches = match_words(page, gold)
    matched = [word for word, match in zip(page, matches, strict=True) if match.matched]
    assert is_subsequence(matched, tokens(gold))


@given(st.integers(0, 2**32))
def test_distinct_words_in_order_are_matched_whole(seed: int) -> None:
    page = [str(n) for n in range(60)]
    picked = sorted(random.Random(seed).sample(range(60), 20))
    matches = match_words(page, " ".join(page[n] for n in picked))
    assert [n for n, match in enumerate(matches) if match.matched] == picked


def test_a_word_repeated_over_the_whole_gold_text_is_no_evidence() -> None:
    # Matches per word of the page are bounded, or this would be a million pairs.
    assert match_words(["the " * 1_000], "the " * 1_000) == [(1_000, 0)]
