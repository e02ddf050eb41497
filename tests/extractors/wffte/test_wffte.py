"""The paper's page worked by hand; containers, lines and signals."""

from __future__ import annotations

import pytest

from scrapy_webtext.extractors.wffte import WffteExtractor
from scrapy_webtext.extractors.wffte.extractor import is_scattered
from scrapy_webtext.page import parse
from tests.extractors.wffte.pages import OWN, STORM, paths, text_of


def test_support_of_every_container_is_the_papers_on_a_page_worked_by_hand() -> None:
    assert paths(STORM) == pytest.approx(
        {
            "html/body/div[1]": 0.0,
            "html/body/div[2]/div[1]": (2 + 3) / 2.1,
            "html/body/table[3]/tr[1]/td[1]": 0.003 / 3.11,
        }
    )


def test_main_text_is_the_best_container_and_its_near_neighbours() -> None:
    # All three are among the best seven. Of their 101 characters the best has 74: the limit is 2,
    # and both others are further by the example's count: 3 (div[1]) and 5 (td).
    extraction = OWN.extract(parse(STORM))
    assert (
        extraction.text
        == "The storm came, at noon. The harbour, the storm, the boats: gone! More news"
    )


def test_score_is_the_share_of_the_best_container_in_the_text_of_the_best_seven() -> None:
    # White space folded: 65 + 9 characters, 9 + 5 in the menu, 13 in the table.
    assert OWN.extract(parse(STORM)).score == pytest.approx(74 / (74 + 14 + 13))


POST = "A post, number {n}, says this and that, and more of it, in its own container."


POSTS = "".join(f"<div class=post><div>{POST.format(n=n)}</div></div>" for n in range(12))


def test_of_twelve_posts_of_one_class_all_are_taken_where_content_is_contained() -> None:
    # Their texts lie in containers of twelve parents: the best seven of them are looked at.
    html = f"<body><div id=thread>{POSTS}</div></body>"
    assert text_of(html, content="own").count("A post") == 7
    assert text_of(html, content="contained").count("A post") == 12
    assert text_of(html, reading="paper").count("A post") == 12
    assert text_of(html).count("A post") == 12  # the page's text is scattered


def test_an_article_in_one_container_is_read_by_its_own_text() -> None:
    story = "It rained, it stormed, and then it was over. So, they say, it went. " * 9
    box = "<div class=box><a>More news</a> of the day</div>"
    html = f"<body><div id=page><div>{box * 9}</div><div id=story>{story}</div></div></body>"
    assert text_of(html) == text_of(html, content="own") == story.strip()
    assert "More news" in text_of(html, content="contained")


def scattered(share: float, linked: float) -> bool:
    """Whether a page is scattered whose best container has this share of the best seven's text."""
    best, rest = round(1000 * share), round(500 * (1 - share))
    # The best one is the one with punctuation. Four containers of one character fill the seven
    # up, so that the one with the links is not among them.
    boxes = [f"<div class=b><p>{',' * 6}{'x' * (best - 6)}</p></div>"]
    boxes += [f"<div class=c{n}><p>{'y' * rest}</p></div>" for n in range(2)]
    links = "z" * round(1000 * linked / (1 - linked))
    boxes += [f"<div class=l{n}><p><a>.</a></p></div>" for n in range(4)]
    html = f"<body>{''.join(boxes)}<div class=end><a>{links}</a></div></body>"
    return is_scattered(WffteExtractor(content="own").find(parse(html)))


@pytest.mark.parametrize(
    ("share", "linked", "expected"),
    [(0.32, 0.1, True), (0.34, 0.1, False), (0.32, 0.38, True), (0.32, 0.42, False)],
)
def test_text_is_scattered_if_the_best_container_has_little_of_it_and_it_is_not_in_links(
    share: float, linked: float, expected: bool
) -> None:
    assert scattered(share, linked) is expected


def test_a_container_without_links_has_the_words_of_one_link() -> None:
    # HC = 0: five words by default, one at the letter.
    html = "<body><div>Six words, and, no, link, here!</div></body>"
    assert paths(html, WffteExtractor(content="own"))["html/body/div[1]"] == pytest.approx(
        0.1 * 6 / 5
    )
    assert paths(html, OWN)["html/body/div[1]"] == pytest.approx(0.1 * 6 / 1)


def test_words_of_chinese_are_its_characters_and_its_punctuation_counts() -> None:
    # NC 14 (its punctuation is written in a character's width), HC 2, p 4.
    html = "<body><div>今天下雨，山、水。大家都好！<a>更多</a></div></body>"
    assert paths(html)["html/body/div[1]"] == pytest.approx(0.1 * 14 / 2)


COPYRIGHT = "<div class=c>Copyright 2024 Harbour Post All rights reserved Privacy Terms</div>"


STORY = "<div class=b>It rained, it stormed, and then it was over. So, they say, it went.</div>"


def test_a_copyright_line_without_punctuation_is_dropped() -> None:
    assert "Copyright" not in text_of(f"<body>{STORY}{COPYRIGHT}</body>")
    # Siblings that differ in id alone are not merged, so that the line is looked at by itself.
    by_id = f"{STORY}{COPYRIGHT}".replace("class=", "id=")
    assert "Copyright" not in text_of(f"<body>{by_id}</body>")
    assert "版权" not in text_of(
        f"<body>{STORY}<div class=c>版权所有 某某公司 京ICP备12345678号 联系我们</div></body>"
    )


def test_a_line_with_punctuation_or_with_two_words_of_the_lexicon_stays() -> None:
    assert "Copyright" in text_of(f"<body>{STORY}{COPYRIGHT.replace(' All', '. All')}</body>")
    assert "Copyright" in text_of(f"<body>{STORY}<div class=c>Copyright 2024 Privacy</div></body>")


def test_a_copyright_line_that_is_all_there_is_is_returned() -> None:
    assert "Copyright" in text_of(f"<body>{COPYRIGHT}</body>")
    two = COPYRIGHT + COPYRIGHT.replace("class=c", "class=d")
    assert text_of(f"<body>{two}</body>").count("Copyright") == 1  # the better one


def test_text_in_no_container_belongs_to_the_body() -> None:
    assert text_of("<p>One line.</p><p>Another line.</p>") == "One line.\nAnother line."
    assert text_of("Bare text.") == "Bare text."
    assert text_of("<p>Bare.</p><div>Held.</div>", outside="none") == "Held."
    assert text_of("Bare text.", reading="paper") == ""


def test_noise_is_what_the_paper_names_or_also_what_html_5_names() -> None:
    html = f"<body><nav>Menu, menu, menu.</nav>{STORY}<script>code, code</script></body>"
    assert "enu" not in text_of(html)
    assert "Menu" in text_of(html, noise="paper")
    assert "code" not in text_of(html, noise="paper")


def test_headings_give_title_words_too() -> None:
    # "flood" stands in no title: 2 + 1 times in the containers, as the heading is in one.
    html = "<body><div><h2>The flood</h2>A flood, a flood.</div></body>"
    # NC 2 + 4 words, HC 0 -> 1, p 2: PSD 0.006; FW 3, SW 0: TSD 1.5.
    assert paths(html)["html/body/div[1]"] == pytest.approx(1.506)


def test_signal_is_sd_per_node_with_the_best_seven_selected() -> None:
    page = parse(STORM)
    (signal,) = OWN.signals(page)
    tags = page.nodes.tag
    assert signal.unit == "node"
    assert len(signal.values) == len(tags)
    assert {tags[i]: v for i, v in enumerate(signal.values) if v} == pytest.approx(
        {"div": 5 / 2.1, "td": 0.003 / 3.11}
    )
    assert [tags[i] for i in signal.selected] == ["div", "div", "td"]


def test_merged_containers_have_their_sum_in_the_signal() -> None:
    page = parse("<body><div>One, two, three.</div><div>One, two, three.</div></body>")
    (signal,) = OWN.signals(page)
    assert [v for v in signal.values if v] == pytest.approx([0.1 * 3 * 1.5] * 2)
