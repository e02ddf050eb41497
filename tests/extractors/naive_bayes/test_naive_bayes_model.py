"""The model of the package, damaged models, properties."""

from __future__ import annotations

import os
from itertools import islice
from math import inf
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import extract
from scrapy_webtext.errors import ModelError, SettingsError
from scrapy_webtext.extractors.naive_bayes import NaiveBayesExtractor
from scrapy_webtext.extractors.naive_bayes.blocks import (
    BLOCK_TAGS,
    BLOCKINGS,
    Blocking,
    web_blocks,
)
from scrapy_webtext.extractors.naive_bayes.levels import (
    LEVEL_COUNTS,
    Counts,
)
from scrapy_webtext.lab.corpus import read_corpus
from scrapy_webtext.lab.metrics import shingle_overlap
from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import make_extractor
from tests.extractors.naive_bayes.toy import toy_model, write

CORPORA = Path(os.environ.get("WEBTEXT_CORPORA", Path(__file__).parents[4] / "shared" / "corpora"))


def test_the_packages_model_reads_an_english_and_a_chinese_article() -> None:
    menu = "<nav><ul>" + "<li><a href='/'>Sport</a></li>" * 8 + "</ul></nav>"
    english = "<p>The river rose through the night, and by morning the road was gone.</p>" * 4
    chinese = "<p>昨夜河水上涨，下游道路被淹没，学校周一重新开放，市长说无人受伤。</p>" * 4
    for story in (english, chinese):
        result = extract(
            f"<body>{menu}<div><article>{story}</article></div><footer>© <a>Us</a></footer>",
            extractor="naive_bayes",
        )
        assert "Sport" not in result.main_text
        assert "Us" not in result.main_text
        assert len(result.main_text.split("\n")) == 4
        assert result.score > 0.5


@pytest.mark.parametrize("block_tags", ["paper", "more"])
@pytest.mark.parametrize("observation", ["words", "blocks"])
def test_in_the_packages_model_content_has_more_text_and_fewer_links(
    block_tags: Any, observation: Any
) -> None:
    extractor = NaiveBayesExtractor(block_tags=block_tags, observation=observation)
    unlinked, links, _, _ = extractor._odds.levels
    assert list(unlinked) == sorted(unlinked)
    assert list(links) == sorted(links, reverse=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"block_tags": "all"}, "block_tags='all' is not allowed; use one of: more, paper, table"),
        ({"denoising": "all"}, "use one of: hidden, paper"),
        ({"reading": "all"}, "use one of: modern, paper"),
        ({"nested": "all"}, "use one of: own, affiliated"),
        ({"outside": "all"}, "use one of: block, none"),
        ({"punctuation": "some"}, "use one of: all, sentence"),
        ({"levels": "all"}, "use one of: summed, single"),
        ({"smoothing": -1}, "smoothing=-1 is not allowed; use a number from 0 on"),
        ({"smoothing": True}, "smoothing=True is not allowed"),
        ({"smoothing": inf}, "smoothing=inf is not allowed"),
        ({"observation": "pages"}, "use one of: words, blocks"),
        ({"priors": True}, "priors=True is not allowed; use one of: equal, trained"),
        ({"fallback": []}, "use one of: best, none"),
        ({"model": 7}, "model=7 is not allowed; give the path of a model"),
    ],
)
def test_a_wrong_option_is_refused_when_the_extractor_is_made(options: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        make_extractor("naive_bayes", options)


def break_model(model: dict[str, Any], break_it: str) -> None:
    classes = model["tables"][Blocking().key]["words"]
    match break_it:
        case "tables":
            del model["tables"]
        case "negative":
            classes["rest"]["paragraphs"][0] = -1
        case "short":
            classes["content"]["link_ratio"].pop()
        case "fraction":
            classes["content"]["unlinked_chars"][2] = 0.5
        case "table":
            del model["tables"][Blocking().key]
        case "huge":
            classes["content"]["total"] = 10**20


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        ("tables", "'tables' is missing; train the model again"),
        ("negative", r"rest: 'paragraphs' must be a list of 3 numbers in \[0, "),
        ("short", "content: 'link_ratio' must be a list of 4 numbers"),
        ("fraction", "'unlinked_chars' must be a list of integers"),
        ("table", "'more/hidden/own/block/sentence' is missing; train the model again"),
        ("huge", "'total' must be an integer"),
    ],
)
def test_a_damaged_model_is_refused_when_the_extractor_is_made(
    tmp_path: Path, break_it: str, message: str
) -> None:
    model = toy_model()
    break_model(model, break_it)
    with pytest.raises(ModelError, match=message):
        NaiveBayesExtractor(model=write(tmp_path / "broken.json", model))


def test_a_missing_model_is_named() -> None:
    with pytest.raises(ModelError, match=r"nowhere\.json cannot be read"):
        make_extractor("naive_bayes", {"model": "nowhere.json"})


scraps = st.sampled_from(
    "<div> </div> <p> </p> <td> <tr> <table> </table> <a> </a> <article> </article> <head> </html> "
    "<select> <option> <script> </script> <br> <pre> , 。 word 雨 &nbsp; \0 \ud800".split(" ")
)


@given(st.text() | st.lists(scraps, max_size=40).map("".join))
def test_any_string_gives_the_same_text_twice_and_a_score_in_range(html: str) -> None:
    extractor = NaiveBayesExtractor()
    page: Page = parse(html)
    result = extractor.extract(page)
    assert result == extractor.extract(parse(html))
    assert 0.0 <= result.score <= 1.0
    assert list(result.chosen) == sorted(set(result.chosen))
    if result.text:  # else all that was chosen may be control characters
        assert extractor.signals(page)[0].selected == result.chosen
    assert len(extractor.signals(page)[0].values) == len(page.blocks)


@given(st.lists(scraps, max_size=40).map("".join), st.sampled_from(BLOCKINGS))
def test_web_blocks_share_out_the_blocks_of_text_without_overlap(
    html: str, blocking: Blocking
) -> None:
    page = parse(html)
    noise = (
        page.hidden if blocking.denoising == "hidden" else page.nodes.inside(frozenset({"head"}))
    )
    names = BLOCK_TAGS[blocking.block_tags]
    owners = page.nodes.nearest(names)
    parts = [part for block in web_blocks(page, blocking) for part in block.parts]
    assert sorted(parts) == [
        b
        for b, node in enumerate(page.blocks.node)
        if not noise[node]
        and (blocking.outside == "block" or page.nodes.tag[owners[node]] in names)
    ]


@given(st.lists(scraps, max_size=40).map("".join), st.sampled_from(["hidden", "paper"]))
def test_an_affiliated_block_counts_what_all_blocks_inside_its_element_count(
    html: str, denoising: Any
) -> None:
    page = parse(html)
    own = web_blocks(page, Blocking("paper", denoising))
    for one, block in zip(
        own, web_blocks(page, Blocking("paper", denoising, "affiliated")), strict=True
    ):
        assert one.parts == block.parts
        held = {b for first, end in block.inner for b in range(first, end)} or set(one.parts)
        inside = [other for other in own if set(other.parts) <= held]
        for name in ("chars", "link_chars", "punctuation"):
            assert getattr(block.counts, name) == sum(getattr(o.counts, name) for o in inside)


@given(st.builds(Counts, *[st.integers(0, 10**6)] * 4))
def test_levels_stay_within_their_number(counts: Counts) -> None:
    counts = counts._replace(link_chars=min(counts.chars, counts.link_chars))
    assert all(0 <= level < n for level, n in zip(counts.levels, LEVEL_COUNTS, strict=True))


if (CORPORA / "zh_dev.jsonl.gz").is_file():  # the labelled corpora are no part of the project

    @pytest.mark.parametrize(
        ("corpus", "step", "floor"), [("zh_dev", 1, 0.94), ("newspaper4k", 7, 0.86)]
    )
    def test_real_pages_are_read_no_worse_than_before(corpus: str, step: int, floor: float) -> None:
        pages = [page for page in read_corpus(CORPORA / f"{corpus}.jsonl.gz") if page.text]
        extractor = NaiveBayesExtractor()
        scores = [
            shingle_overlap(extractor.extract(parse(page.html)).text, page.text, "chars").f1
            for page in islice(pages, 0, None, step)
        ]
        assert mean(scores) >= floor
