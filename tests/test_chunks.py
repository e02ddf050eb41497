"""Chunks of a main text."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import extract
from scrapy_webtext.chunks import chunks_of

SENTENCE = "The harbour was quiet that morning, and nobody saw the boat leave. "
TEXTS = st.lists(
    st.tuples(st.sampled_from(["p", "h2", "h3", "li", "td"]), st.integers(1, 12)), max_size=12
)


@given(TEXTS, st.integers(1, 400))
def test_chunks_hold_the_whole_text_in_order_and_none_is_too_long(
    texts: list[tuple[str, int]], most: int
) -> None:
    html = "".join(f"<{tag}>{SENTENCE * n}</{tag}>" for tag, n in texts)
    result = extract(f"<article>{html}<p>{SENTENCE * 9}</p></article>", include="blocks").to_dict()
    text = result["main_text"]
    chunks = list(chunks_of(text, result["blocks"], most))
    at = 0
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end]
        assert 0 < len(chunk.text) <= most
        assert not text[at : chunk.start].strip(" \n-|0123456789.")  # markers of lists, cells
        at = chunk.end
    assert at == len(text)


def test_a_long_block_is_cut_at_the_ends_of_its_lines() -> None:
    lines = ["x = [1, 2, 3]", "print(x)", "没有空格的一行"]
    text = "\n".join(lines)
    block = {"kind": "code", "section": (), "text": text, "start": 0, "end": len(text)}
    assert [chunk.text for chunk in chunks_of(text, [block], 13)] == lines


def test_chunks_without_characters_are_refused() -> None:
    with pytest.raises(ValueError, match="chunks of 0 characters are not possible"):
        list(chunks_of("text", [], 0))


def test_a_heading_is_with_the_text_below_it_in_its_own_section() -> None:
    html = f"<article><p>{SENTENCE * 3}</p><h2>Two</h2><p>{SENTENCE * 9}</p></article>"
    result = extract(html, include="blocks").to_dict()
    chunks = list(chunks_of(result["main_text"], result["blocks"], 300))
    assert [chunk.section for chunk in chunks] == [(), ("Two",), ("Two",), ("Two",)]
    assert chunks[1].text.startswith("Two\nThe harbour")


@given(st.text("ab \n\t\u200b", max_size=60), st.integers(1, 9))
def test_no_chunk_is_blank_and_no_word_is_lost(text: str, most: int) -> None:
    block = {"kind": "code", "section": (), "text": text, "start": 0, "end": len(text)}
    chunks = [chunk.text for chunk in chunks_of(text, [block], most)]
    assert all(chunk.strip(" \n\t\u200b") for chunk in chunks)
    assert re.sub(r"\W", "", "".join(chunks)) == re.sub(r"\W", "", text)


def test_a_result_is_divided_with_its_rows_as_objects_or_dicts() -> None:
    result = extract(f"<article><h1>A</h1><p>{SENTENCE * 9}</p></article>", include="blocks")
    chunks = list(chunks_of(result.main_text, result.blocks or (), 300))
    assert len(chunks) > 1
    assert (
        list(chunks_of(result, most=300)) == list(chunks_of(result.to_dict(), most=300)) == chunks
    )
    with pytest.raises(ValueError, match="the result lacks main_markdown"):
        chunks_of(result, format="markdown")


MARKDOWN = Path(__file__).with_name("chunks.md").read_text("utf-8").rstrip()


@pytest.mark.parametrize("most", [1, 20, 40, 90, 1000])
def test_chunks_of_markdown_keep_rows_fences_and_notes_whole(most: int) -> None:
    chunks = list(chunks_of(MARKDOWN, most=most, format="markdown"))
    whole = re.findall(r"^\|.*|^ {3}````[^$]*?````$|^\[\^1\]:[^$]*it\.", MARKDOWN, re.M)
    assert len(whole) == 6
    for piece in whole:
        assert sum(piece in chunk.text for chunk in chunks) == 1
    assert re.sub(r"\s", "", "".join(chunk.text for chunk in chunks)) == re.sub(r"\s", "", MARKDOWN)
    assert {chunk.section for chunk in chunks} == {("One",), ("One", "Two")}
