"""Which containers are merged, and what they hold."""

from __future__ import annotations

import pytest

from scrapy_webtext.extractors.wffte import WffteExtractor
from scrapy_webtext.page import parse
from tests.extractors.wffte.pages import OWN, paths, text_of


def test_siblings_of_one_class_are_merged_and_their_supports_added() -> None:
    # As SD of one box alone is small, the sidebar wins unless the four are merged.
    # box: NC 5, HC 0 -> 1, p 3: PSD 0.5. aside box: NC 15, p 3: PSD 1.5.
    box = "<div class='post big'>One, two, three four five.</div>"
    same = "<div class='big  post'>One, two, three four five.</div>"
    side = "<div id='side'>" + "a b c d, " * 3 + "e f g</div>"
    html = f"<body>{side}{box}{same}{box}{same}</body>"
    supports = paths(html)
    assert supports == pytest.approx(
        {
            "html/body/div[1]": 1.5,
            "html/body/div[2]": 0.5 * (1 / 2 + 1 / 3 + 1 / 4 + 1 / 5),
        }
    )


@pytest.mark.parametrize(
    ("one", "other", "merged"),
    [
        ("class=a", "class=a", True),
        ("class=a", "class=b", False),
        ("class=a style=top:0", "class=b style=top:0", True),
        ("style=top:0", "style=top:0", True),
        ("style=top:0", "style=top:1px", False),
        ("", "", True),
        ("class=a", "", False),
        ("class=''", "", True),
        ("id=x", "id=y", False),
        ("id=x", "", False),
        ("id=x class=a", "id=y class=a", True),
        ("lang=de dir=ltr", "dir=ltr lang=de", True),
        ("style=top:0 id=x", "style=top:0 id=y", False),
    ],
)
def test_siblings_are_merged_by_class_or_else_by_their_other_attributes(
    one: str, other: str, merged: bool
) -> None:
    supports = paths(f"<body><div {one}>One.</div><div {other}>Two.</div></body>")
    assert len(supports) == (1 if merged else 2)


def test_by_style_siblings_that_differ_in_other_attributes_are_merged() -> None:
    html = "<body><div id=x>One.</div><div id=y>Two.</div></body>"
    assert len(paths(html, WffteExtractor(content="own", looks="style"))) == 1
    html = "<body><div id=x style=top:0>One.</div><div id=y style=top:1px>Two.</div></body>"
    assert len(paths(html, WffteExtractor(content="own", looks="style"))) == 2


def test_a_third_sibling_can_look_like_both() -> None:
    html = "<div class=a lang=de>One.</div><div class=b>Two.</div><div lang=de class=b>Three.</div>"
    assert len(paths(f"<body>{html}</body>")) == 1


# The inner div and that of class a around its parent: path distance (0 + 2) - 1 = 1 by eq. 6.
GRANDPARENT = (
    "<body><div class=a>One. <div class=b>Two. <div class=a>Three.</div></div></div></body>"
)


def test_grandparent_and_grandchild_of_one_look_are_merged_where_distance_1_says_so() -> None:
    by_distance = WffteExtractor(content="own", merging="distance", min_link_words=1)
    assert list(paths(GRANDPARENT)) == [
        "html/body/div[1]",
        "html/body/div[1]/div[1]",
        "html/body/div[1]/div[1]/div[1]",
    ]
    # Each has one word and one mark, PSD 0.001: DSD 1 and 1 / 1.11 together, 1 / 1.1 alone.
    assert paths(GRANDPARENT, by_distance) == pytest.approx(
        {"html/body/div[1]": 0.001 + 0.001 / 1.11, "html/body/div[1]/div[1]": 0.001 / 1.1}
    )
    other = GRANDPARENT.replace("<div class=a>Three", "<div class=c>Three")
    assert len(paths(other, by_distance)) == 3
    assert len(paths("<body><div>x<div>y</div></div></body>", by_distance)) == 2  # parent and child


def test_containers_of_one_look_are_not_merged_across_parents() -> None:
    html = "<div><div class=a>One.</div></div><div><div class=a>Two.</div></div>"
    assert len(paths(html)) == 2


def test_a_container_holds_its_own_text_or_all_that_is_contained_in_it() -> None:
    page = parse("<div>Outer one. <section>Inner.</section> Outer two.</div>")
    assert [c.chars for c in OWN.find(page).candidates] == [20, 6]
    contained = WffteExtractor(content="contained").find(page)
    assert [c.chars for c in contained.candidates] == [26, 6]


def test_what_stands_deep_inside_a_container_is_its_text_only_where_it_holds_it() -> None:
    # Five containers further down it is too far away to be taken for its own sake.
    story = "It rained, it stormed, and then it was over. So, they say, it went."
    html = f"<body><div>{story}{'<div>' * 5}<i>Advert</i>{'</div>' * 5}</div></body>"
    assert text_of(html, content="own") == story
    assert text_of(html, content="contained") == f"{story}\nAdvert"


def test_the_body_holds_no_more_than_the_text_in_no_container() -> None:
    # The best seven are the body and six boxes: the menu, in the first container, is none of them.
    line = "One, two, three, four, five, six, seven."
    boxes = "".join(f"<div class=c{n}>{line}</div>" for n in range(6))
    html = f"<body><div class=menu><a>Menu</a></div>{line * 9}{boxes}</body>"
    assert text_of(html, content="contained") == "\n".join([line * 9] + [line] * 6)


def test_a_container_holds_the_characters_of_all_inside_it_to_the_last() -> None:
    page = parse("<body><div>a<div>bc<div>def</div><div>g<div>hi</div></div></div></div></body>")
    found = WffteExtractor(content="contained").find(page)
    assert found.held.content.chars == [0, 9, 8, 3, 3, 2]


def test_support_of_what_is_contained_worked_by_hand() -> None:
    # outer: NC 2 + 4 = 6, HC 1, p 1 + 2 = 3: 0.1 * 6 / 1, DSD 1. inner: NC 4, HC 1, p 2:
    # 0.001 * 4 / 1, DSD 1 / 1.1.
    html = "<div class=o>Two words. <div>One, two, three four <a>five</a></div></div>"
    contained = WffteExtractor(content="contained", min_link_words=1)
    assert paths(html, contained) == pytest.approx(
        {"html/body/div[1]": 0.6, "html/body/div[1]/div[1]": 0.004 / 1.1}
    )
