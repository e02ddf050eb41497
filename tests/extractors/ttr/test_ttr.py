"""Ratios, smoothing and signals of text-to-tag ratios."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_webtext.extractors.ttr import TextToTagRatioExtractor
from scrapy_webtext.extractors.ttr.clustering import (
    standard_deviation,
)
from scrapy_webtext.extractors.ttr.ratios import smooth, text_to_tag_ratios
from scrapy_webtext.page import parse
from tests.extractors.ttr.pages import PARTS, STORY_TEXT, ratios_of, text_of

# Worked by hand, line by line (algorithm 1):
#
#   line                                     characters  tags  ratio
#   <html><body>                                      0     2   0
#   <a>Home</a> <a>News</a>                           9     4   2.25
#   <p>It rained all day long.</p>                   23     2  11.5
#   Nobody went out.                                 16     0  16
#   <script>var a = 1;</script>                 removed, and the empty line with it
#   <p>Bye.</p>                                       4     2   2
#   </body></html>                                    0     2   0
WORKED = """<html><body>
<a>Home</a> <a>News</a>
<p>It rained all day long.</p>
Nobody went out.
<script>var a = 1;</script>

<p>Bye.</p>
</body></html>
"""


WORKED_RATIOS = [0, 2.25, 11.5, 16, 2, 0]


def test_ratio_of_each_line_is_that_of_algorithm_1_worked_by_hand() -> None:
    assert ratios_of(WORKED, lines="source") == WORKED_RATIOS
    assert text_to_tag_ratios([9, 23, 16], [4, 2, 0]) == [2.25, 11.5, 16]


def test_smoothing_is_the_mean_of_five_lines_as_in_equation_1() -> None:
    # e_2 = (0 + 2.25 + 11.5 + 16 + 2) / 5; the first line has two neighbours: (0 + 2.25 + 11.5) / 3
    smoothed = smooth(WORKED_RATIOS, 2)
    assert smoothed[2] == pytest.approx(31.75 / 5)
    assert smoothed[0] == pytest.approx(13.75 / 3)
    assert smoothed[5] == pytest.approx(18 / 3)
    assert smooth(WORKED_RATIOS, 0) == WORKED_RATIOS


def test_equation_1_with_its_constant_divisor_takes_zeros_beyond_the_ends() -> None:
    smoothed = smooth(WORKED_RATIOS, 2, "zeros")
    assert smoothed[0] == pytest.approx(13.75 / 5)
    assert smoothed[1] == pytest.approx((0 + 2.25 + 11.5 + 16) / 5)
    assert smoothed[5] == pytest.approx(18 / 5)
    assert smoothed[2:4] == smooth(WORKED_RATIOS, 2)[2:4]
    assert smooth([3], 2, "zeros") == [3 / 5]


def test_source_lines_of_a_page_on_one_line_tell_nothing() -> None:
    text = text_of("".join(PARTS), lines="source")
    assert "Page 0" in text
    assert "Page 29" in text


def test_auto_takes_source_lines_where_blocks_hold_many_of_them() -> None:
    mail = "<pre>" + "> \n" * 20 + "\n".join(STORY_TEXT) + "\n--\n" * 20 + "</pre>"
    auto = TextToTagRatioExtractor()
    assert auto.extract(parse(mail)) == TextToTagRatioExtractor(lines="source").extract(parse(mail))
    assert auto.extract(parse(mail)).chosen == (0,)
    page = "\n".join(PARTS)
    assert auto.extract(parse(page)) == TextToTagRatioExtractor(lines="blocks").extract(parse(page))


def test_signals_are_the_papers_figures_raw_and_smoothed_ratios_threshold_and_lines() -> None:
    raw, smoothed = TextToTagRatioExtractor(coefficient=0.5).signals(parse("\n".join(PARTS)))
    assert (raw.name, raw.unit) == ("text_to_tag_ratio", "line")
    assert (smoothed.name, smoothed.unit) == ("smoothed_text_to_tag_ratio", "line")
    assert list(smoothed.values) == smooth(raw.values, 2)
    assert smoothed.threshold == 0.5 * standard_deviation(smoothed.values)
    assert smoothed.selected == raw.selected
    for k, value in enumerate(smoothed.values):
        assert (k in smoothed.selected) == (value >= smoothed.threshold)


@pytest.mark.parametrize("lines", ["source", "blocks"])
def test_each_line_of_the_signals_knows_its_blocks(lines: Any) -> None:
    page = parse("\n".join(PARTS))
    extractor = TextToTagRatioExtractor(lines=lines)
    raw, smoothed = extractor.signals(page)
    assert raw.blocks == smoothed.blocks
    assert len(raw.blocks) == len(raw.values)
    held = {b for span in raw.blocks if span for b in range(span[0], span[1] + 1)}
    assert held == set(range(len(page.blocks)))
    spans = [raw.blocks[k] for k in raw.selected]
    chosen = {b for span in spans if span for b in range(span[0], span[1] + 1)}
    assert chosen == set(extractor.extract(page).chosen)


def test_a_line_of_tags_alone_has_no_blocks() -> None:
    page = parse("<ul><li><img></li></ul><p>Text</p>")
    raw, smoothed = TextToTagRatioExtractor(lines="blocks").signals(page)
    assert raw.blocks == smoothed.blocks
    assert {span for span, ratio in zip(raw.blocks, raw.values, strict=True) if not ratio} == {None}
    assert [span for span in raw.blocks if span] == [(0, 0)]
