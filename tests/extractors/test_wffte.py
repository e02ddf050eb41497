"""WFFTE: title words, a page and equations worked by hand, merging, choice of the reading, laws."""

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_webtext.core.words import UNSPACED
from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extractors import title_words as module
from scrapy_webtext.extractors import wffte
from scrapy_webtext.extractors.title_words import Segmenter, most_frequent, occurrences, title_words
from scrapy_webtext.extractors.wffte import WffteExtractor
from scrapy_webtext.page import Nodes, Page, parse
from tests.kits.data import read_json

CASES = read_json(__file__)


@pytest.mark.parametrize(
    ("titles", "segmenter", "words"), CASES["wffte: words of titles by segmenter"]
)
def test_title_words_are_long_uncommon_and_listed_once(
    titles: list[str], segmenter: Segmenter, words: list[str]
) -> None:
    assert title_words(titles, segmenter) == words


def test_without_jieba_two_neighbouring_characters_are_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    module._jieba.cache_clear()
    assert title_words(["高考安排"], "auto") == ["高考", "考安", "安排"]
    assert title_words(["高考，2024年。"], "bigrams") == ["2024", "高考"]
    with pytest.raises(MissingExtraError, match=r"'\.\[zh\]'"):
        WffteExtractor(segmenter="jieba")
    module._jieba.cache_clear()


@pytest.mark.parametrize(
    ("candidates", "texts", "words"),
    CASES["wffte: candidates, texts and the two words that occur most"],
)
def test_the_two_most_frequent_words_are_chosen(
    candidates: list[str], texts: list[str], words: list[str]
) -> None:
    assert most_frequent(candidates, dict(enumerate(texts, 1))) == words


def test_occurrences_are_whole_words_in_scripts_with_spaces() -> None:
    assert occurrences("storm", "storm, stormy and brainstorm; storm") == 2
    assert occurrences("高考", "今年高考安排高考") == 2


@given(
    st.lists(st.sampled_from("ab cd efgh 高考 高考安 ひら".split()), max_size=5, unique=True),
    st.text("abcdefgh 高考安ひら", max_size=60),
)
def test_chosen_words_are_the_most_frequent_by_plain_counting(words: list[str], text: str) -> None:
    def count(word: str) -> int:
        if UNSPACED.match(word):
            return sum(text.startswith(word, at) for at in range(len(text)))
        return occurrences(word, text)

    ranked = sorted((w for w in words if count(w)), key=count, reverse=True)
    assert [count(w) for w in most_frequent(words, {1: text})] == [count(w) for w in ranked[:2]]


# Worked by hand. Title words of four letters or more, as often as the containers have them:
# storm 2, harbour 1, over 0. FirstWord is storm, SecondWord harbour.
STORM = """<html><head><title>Storm over Harbour</title></head><body>
<div><a>Home page</a> <a>Sport</a></div>
<div>
  <div>The storm came, at noon. The harbour, the storm, the boats: gone! <a>More news</a></div>
</div>
<table><tr><td>No link here.</td></tr></table>
</body></html>"""


# container               rd    DSD    NC  HC  p  FP     PSD             FW SW TSD  SD
# html/body/div[1]        1     1/1     0   3  0  0.001  0.001 *  0 / 3   0  0  0    0
# html/body/div[2]/div[1] 2, 1  1/2.1  12   2  6  0.5    0.5   * 12 / 2   2  1  2    (2 + 1.2) / 2.1
# ...table[3]/tr[1]/td[1] 3,1,1 1/3.11  3   0  1  0.001  0.001 *  3 / 1   0  0  0    0.0006 / 3.11
# (table[3] and its tr, and div[2], have no text of their own; HC = 0 counts as 1 here.)
class Own(wffte.WffteExtractor):
    """The modern reading of pages whose text is not scattered: a container has its own text."""

    def find(self, page: Page) -> wffte.Findings:
        return self.choose(self.held(page))


class Contained(wffte.WffteExtractor):
    """The modern reading of pages whose text is scattered: a container has all text in it."""

    def find(self, page: Page) -> wffte.Findings:
        return self.choose(self.held(page).with_inner())


OWN, CONTAINED, LETTER = Own(), Contained(), wffte.WffteExtractor(reading="paper")


def path_of(containers: wffte.Containers, row: int, nodes: Nodes) -> str:
    """Return the path of a container, such as ``html/body/div[2]/div[1]``."""
    steps: list[str] = []
    while row > 0:
        parent = containers.parent[row]
        serial = containers.parent[: row + 1].count(parent)
        steps.append(f"{nodes.tag[containers.node[row]]}[{serial}]")
        row = parent
    return "/".join(["html", "body", *reversed(steps)])


def paths(html: str, extractor: wffte.WffteExtractor = OWN) -> dict[str, float]:
    """Return SD of every candidate by the path of its first container."""
    page = parse(html)
    found = extractor.find(page)
    return {
        path_of(found.held.containers, candidate.rows[0], page.nodes): candidate.support
        for candidate in found.candidates
    }


def text_of(html: str, extractor: wffte.WffteExtractor | None = None) -> str:
    return (extractor or wffte.WffteExtractor()).extract(parse(html)).text


def test_a_page_worked_by_hand_has_the_papers_supports_text_score_and_signal() -> None:
    page = parse(STORM)
    assert paths(STORM) == pytest.approx(
        {
            "html/body/div[1]": 0.0,
            "html/body/div[2]/div[1]": (2 + 1.2) / 2.1,
            "html/body/table[3]/tr[1]/td[1]": 0.0006 / 3.11,
        }
    )
    # All three are among the best seven. Of their 101 characters the best has 74: the limit is 2,
    # and both others are further by the example's count: 3 (div[1]) and 5 (td).
    extraction = OWN.extract(page)
    said = "The storm came, at noon. The harbour, the storm, the boats: gone! More news"
    assert extraction.text == said
    # White space folded: 65 + 9 characters, 9 + 5 in the menu, 13 in the table.
    assert extraction.score == pytest.approx(74 / (74 + 14 + 13))
    (signal,) = OWN.signals(page)
    tags = page.nodes.tag
    assert (signal.name, signal.unit) == ("text_support", "node")
    assert len(signal.values) == len(tags)
    assert {tags[i]: v for i, v in enumerate(signal.values) if v} == pytest.approx(
        {"div": 3.2 / 2.1, "td": 0.0006 / 3.11}
    )
    assert [tags[i] for i in signal.selected] == ["div", "div", "td"]
    # Both title words equally, TSD 2 * 1 + 1 * beta.
    for beta, tsd in ((0, 2), (3, 5)):
        supports = paths(STORM, Own(alpha=1, beta=beta))
        assert supports["html/body/div[2]/div[1]"] == pytest.approx((tsd + 1.2) / 2.1)


OUTER = "<div class=o>Two words. <div>One, two, three four <a>five</a></div></div>"
ALPHA = (
    "<title>alpha beta</title><body><div class=a><div class=b><div class=c>alpha alpha</div>"
    "</div></div><div class=d>beta beta beta</div></body>"
)


# Document -> SD of the container with this path.
@pytest.mark.parametrize(
    ("html", "extractor", "path", "support"),
    [
        # HC = 0: five words by default, one in the paper's reading.
        ("<div>Six words, and, no, link, here!</div>", OWN, "div[1]", 0.1 * 6 / 5),
        ("<div>Six words, and, no, link, here!</div>", LETTER, "div[1]", 0.1 * 6 / 1),
        # NC 14 characters, as each mark has the width of a character; HC 2 -> 5, p 4.
        ("<div>今天下雨，山、水。大家都好！<a>更多</a></div>", OWN, "div[1]", 0.1 * 14 / 5),
        # The word of a heading: FW 3, SW 0, TSD 1.5. NC 2 + 4, HC 0 -> 5, p 2: PSD 0.0012.
        ("<div><h2>The flood</h2>A flood, a flood.</div>", OWN, "div[1]", 1.5012),
        # All text in it. outer: NC 2 + 4 = 6, HC 1, p 1 + 2 = 3, DSD 1. inner: NC 4, HC 1, p 2.
        (OUTER, LETTER, "div[1]", 0.1 * 6 / 1),
        (OUTER, LETTER, "div[1]/div[1]", 0.001 * 4 / 1 / 1.1),
        # Paper: alpha is twice in each of three containers, beta three times in one: FirstWord is
        # alpha, SecondWord beta, TSD 1 * 3. Counted once, beta is the first: TSD 0.5 * 3.
        (ALPHA, LETTER, "div[2]", (3 + 0.003) / 2),
        (ALPHA, OWN, "div[2]", (1.5 + 0.0006) / 2),
    ],
)
def test_support_of_a_container_worked_by_hand(
    html: str, extractor: wffte.WffteExtractor, path: str, support: float
) -> None:
    assert paths(html, extractor)[f"html/body/{path}"] == pytest.approx(support)


POST = "A post, number {n}, says this and that, and more of it, in its own container."


POSTS = "".join(f"<div class=post><div>{POST.format(n=n)}</div></div>" for n in range(12))


def test_twelve_posts_of_one_class_are_taken_if_content_is_contained() -> None:
    # Their texts are in containers of twelve parents: the best seven of them are candidates.
    html = f"<body><div id=thread>{POSTS}</div></body>"
    assert text_of(html, OWN).count("A post") == 7
    assert text_of(html, CONTAINED).count("A post") == 12
    assert text_of(html, LETTER).count("A post") == 12
    assert text_of(html).count("A post") == 12  # the page's text is scattered


def test_an_article_in_one_container_is_read_by_its_own_text() -> None:
    story = "It rained, it stormed, and then it was over. So, they say, it went. " * 9
    box = "<div class=box><a>More news</a> of the day</div>"
    html = f"<body><div id=page><div>{box * 9}</div><div id=story>{story}</div></div></body>"
    assert text_of(html) == text_of(html, OWN) == story.strip()
    assert "More news" in text_of(html, CONTAINED)


def scattered(share: float, linked: float) -> bool:
    """Return whether a page is scattered whose best container has this share of the best seven."""
    best, rest = round(1000 * share), round(500 * (1 - share))
    # The container with punctuation is the best. Four containers of one character make it seven,
    # so the container with the links is not among them.
    boxes = [f"<div class=b><p>{',' * 6}{'x' * (best - 6)}</p></div>"]
    boxes += [f"<div class=c{n}><p>{'y' * rest}</p></div>" for n in range(2)]
    links = "z" * round(1000 * linked / (1 - linked))
    boxes += [f"<div class=l{n}><p><a>.</a></p></div>" for n in range(4)]
    html = f"<body>{''.join(boxes)}<div class=end><a>{links}</a></div></body>"
    return wffte.is_scattered(OWN.find(parse(html)))


@pytest.mark.parametrize(
    ("share", "linked", "expected"),
    [(0.32, 0.1, True), (0.34, 0.1, False), (0.32, 0.38, True), (0.32, 0.42, False)],
)
def test_text_is_scattered_if_the_best_container_has_little_and_links_too(
    share: float, linked: float, expected: bool
) -> None:
    assert scattered(share, linked) is expected


COPYRIGHT = "<div class=c>Copyright 2024 Harbour Post All rights reserved Privacy Terms</div>"


STORY = "<div class=b>It rained, it stormed, and then it was over. So, they say, it went.</div>"


# Document -> whether the copyright line is in the text, modern and paper (step 8).
@pytest.mark.parametrize(
    ("html", "modern", "paper"), CASES["wffte: copyright lines in the text, modern and paper"]
)
def test_copyright_lines_without_punctuation_are_dropped(
    html: str, modern: bool, paper: bool
) -> None:
    html = html.replace("{STORY}", STORY).replace("{COPYRIGHT}", COPYRIGHT)
    texts = [
        text_of(f"<body>{html}</body>", extractor) for extractor in (wffte.WffteExtractor(), LETTER)
    ]
    assert ["Copyright" in text for text in texts] == [modern, paper]
    assert texts[0].count("Copyright") <= 1


def test_text_in_no_container_belongs_to_the_body() -> None:
    assert text_of("<p>One line.</p><p>Another line.</p>") == "One line.\nAnother line."
    assert text_of("Bare text.") == "Bare text."
    assert text_of("<p>Bare.</p><div>Held.</div>", LETTER) == "Held."
    assert text_of("Bare text.", LETTER) == ""


def test_noise_is_that_of_the_paper_or_also_that_of_html_5() -> None:
    html = f"<body><nav>Menu, menu, menu.</nav>{STORY}<script>code, code</script></body>"
    assert "enu" not in text_of(html)
    assert "Menu" in text_of(html, LETTER)
    assert "code" not in text_of(html, LETTER)


def test_siblings_of_one_class_are_merged_and_their_supports_added() -> None:
    # SD of a single box is small, so the sidebar wins unless the four are merged.
    # box: NC 5, HC 0 -> 1, p 3: PSD 0.5. aside box: NC 15, p 3: PSD 1.5.
    box = "<div class='post big'>One, two, three four five.</div>"
    same = "<div class='big  post'>One, two, three four five.</div>"
    side = "<div id='side'>" + "a b c d, " * 3 + "e f g</div>"
    html = f"<body>{side}{box}{same}{box}{same}</body>"
    merged = 0.1 * (1 / 2 + 1 / 3 + 1 / 4 + 1 / 5)
    assert paths(html) == pytest.approx({"html/body/div[1]": 0.3, "html/body/div[2]": merged})
    (signal,) = OWN.signals(parse(html))
    assert [v for v in signal.values if v] == pytest.approx([0.3] + [merged] * 4)


def test_siblings_are_merged_by_class_or_else_by_their_other_attributes() -> None:
    for cases in CASES["wffte: number of containers"].values():
        assert {html: len(paths(f"<body>{html}</body>")) for html in cases} == cases


# The inner div and that of class a around its parent: path distance (0 + 2) - 1 = 1 by eq. 6.
GRANDPARENT = (
    "<body><div class=a>One. <div class=b>Two. <div class=a>Three.</div></div></div></body>"
)


def test_grandparent_and_grandchild_are_merged_by_distance_1() -> None:
    by_distance = Own(reading="paper")
    assert len(paths(GRANDPARENT)) == 3
    # Each has one word and one mark, PSD 0.001: DSD 1 and 1 / 1.11 of the merged, 1 / 1.1.
    assert paths(GRANDPARENT, by_distance) == pytest.approx(
        {"html/body/div[1]": 0.001 + 0.001 / 1.11, "html/body/div[1]/div[1]": 0.001 / 1.1}
    )
    other = GRANDPARENT.replace("<div class=a>Three", "<div class=c>Three")
    assert len(paths(other, by_distance)) == 3
    assert len(paths("<body><div>x<div>y</div></div></body>", by_distance)) == 2  # parent and child


def test_the_body_has_only_the_text_in_no_container() -> None:
    # The best seven are the body and six boxes, without the menu in the first container.
    line = "One, two, three, four, five, six, seven."
    boxes = "".join(f"<div class=c{n}>{line}</div>" for n in range(6))
    html = f"<body><div class=menu><a>Menu</a></div>{line * 9}{boxes}</body>"
    assert text_of(html, CONTAINED) == "\n".join([line * 9] + [line] * 6)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        # eq. 5: 0.001, 0.1, 0.5 for fewer than 3, fewer than 6, more marks
        (
            [wffte.punctuation_support(n) for n in (0, 2, 3, 5, 6, 60)],
            [0.001, 0.001, 0.1, 0.1, 0.5, 0.5],
        ),
        # eq. 4: 120 words outside links, 8 in links, 6 marks: 0.5 * 120 / 8
        (wffte.general_support(120, 8, 6), 7.5),
    ],
)
def test_equations_give_the_papers_values(found: object, expected: object) -> None:
    assert found == pytest.approx(expected)


# Document -> path and DSD of its last container (eq. 2; the example of the paper is the first).
@pytest.mark.parametrize(
    ("html", "q", "path", "dsd"),
    [
        ("<div>x<div>y</div></div>", 10, "/div[1]/div[1]", 1 / 1.1),
        ("<div>x<div>y</div></div>", 2, "/div[1]/div[1]", 1 / 1.5),
        ("<div>x</div>", 10, "/div[1]", 1),
        ("<p>x</p>", 10, "", 1),
        ("<p></p><table></table><div><ul></ul><ul></ul><ul></ul><div>x", 10, "/div[2]/div[4]",
         1 / 2.4),
        ("<div>a</div><div><div>b</div><div><div>x", 10, "/div[2]/div[2]/div[1]", 1 / 2.21),
    ],
)  # fmt: skip
def test_distance_support_reads_the_serial_numbers_of_the_path_as_digits(
    html: str, q: int, path: str, dsd: float
) -> None:
    page = parse(f"<body>{html}")
    containers = Own(q=q).find(page).held.containers
    last = len(containers.node) - 1
    assert path_of(containers, last, page.nodes) == f"html/body{path}"
    assert 1 / (containers.coordinate[last] or 1) == pytest.approx(dsd)


def test_limits_are_counted_by_equation_6_or_as_in_the_example() -> None:
    # The best is div[1]/div[1], the other its uncle div[2]: 2 by the equation, 3 as the example
    # counts. If the best has half of the text the limit is 2, else 4.
    best = "One, two, three, four, five, six, seven words. " * 4
    html = f"<body><div><div>{best}</div></div><div>{{}}</div></body>"
    assert text_of(html.format("An uncle of it."), OWN).endswith("seven words.")
    assert text_of(html.format("An uncle of it."), Own("paper")).endswith("An uncle of it.")
    long = "no punctuation but more text than the best has " * 5
    assert text_of(html.format(long)).endswith(long.strip())


TREES = st.recursive(
    st.sampled_from(["One, two. ", "<p>A paragraph</p>", "<a>link</a>"]),
    lambda inner: st.builds(
        lambda tag, attribute, children: f"<{tag}{attribute}>{''.join(children)}</{tag}>",
        st.sampled_from(["div", "section", "span", "blockquote"]),
        st.sampled_from(["", " class=a", " class=b", " style='top:0'"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


@example("<div><div><div>a</div><div><div>b</div></div></div></div><div>c</div>")
@given(TREES)
def test_paths_are_unique_and_give_coordinates_and_distances(html: str) -> None:
    page = parse(f"<body>{html}</body>")
    containers = OWN.find(page).held.containers
    steps = [path_of(containers, k, page.nodes).split("/") for k in range(len(containers.node))]
    assert len(set(map(tuple, steps))) == len(steps)
    for row, path in enumerate(steps):
        serials = [int(step.rstrip("]").split("[")[1]) for step in path[2:]]
        total = sum(rd * 10.0**-n for n, rd in enumerate(serials))
        assert containers.coordinate[row] == pytest.approx(total)
    for i, one in enumerate(steps):
        for j, other in enumerate(steps):
            pre = sum(one[:n] == other[:n] for n in range(1, min(len(one), len(other)) + 1))
            distance = len(one) - pre + len(other) - pre - 1
            assert containers.path_distance([i], [j]) == distance
