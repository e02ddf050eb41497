"""Where buttons, icons and frames stand in a line of text."""

import pytest

from scrapy_webtext.page import parse


def blocks(html: str) -> list[str]:
    page = parse(html)
    return [
        text
        for text, node in zip(page.blocks.text, page.blocks.node, strict=True)
        if not page.hidden[node]
    ]


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<p>The value of <a>the link<svg/></a> was kept.", ["The value of the link was kept."]),
        ("<p>Press <button>Save</button> to go on.", ["Press Save to go on."]),
        ("<p>Press<button>Save</button>now.", ["Press Save now."]),
        ("<p><button>Springs</button> come late.", ["Springs come late."]),
        ("<div>Press <a>this<svg/></a> to go on.</div>", ["Press this to go on."]),
        (
            "<p>It rained.</p><button>Share</button><p>Then not.",
            ["It rained.", "Share", "Then not."],
        ),
        ("<p>It rained. <button>Share</button></p>", ["It rained.", "Share"]),
        ("<div><a><svg/>Home</a><a><svg/>News</a></div>", ["Home", "News"]),
        ("<div><button>Like</button><button>Share</button></div>", ["Like", "Share"]),
        ("<h2>Storks<iframe></iframe> are back</h2>", ["Storks are back"]),
    ],
)
def test_what_stands_in_a_line_parts_none(html, lines):
    assert blocks(html) == lines


def test_what_is_hidden_in_a_sentence_leaves_no_trace():
    html = "<p>A mill<span hidden>, closed,</span> stood <i style='display:none'>not</i>here."
    assert blocks(html) == ["A mill stood here."]


def test_a_hidden_block_parts_no_line():
    assert blocks("<div>It <div hidden><p>x</p></div>rained.</div>") == ["It rained."]


def test_an_icon_between_two_words_sets_them_apart():
    assert blocks("<p>Read<svg/>more of it.") == ["Read more of it."]
