from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.lab.corpus import content_mask, match_words, tokens

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
