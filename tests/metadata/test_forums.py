"""Posts of forums with author and date, in the markup of the systems that most forums use."""

from __future__ import annotations

from random import Random

import pytest

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.page import parse
from tests.metadata.pages import read
from tests.training.test_threads import texts_of
from training.threads import TEST, TRAIN, make_thread

SYSTEMS = [
    *((TRAIN, name) for name in "discuz phpbb vbulletin xenforo bbpress discourse smf".split()),
    *((TRAIN, name) for name in ("discuz mobile", "invision", "flarum")),
    *((TEST, name) for name in "discuz phpbb vbulletin bbpress discourse".split()),
]


@pytest.mark.parametrize(("part", "system"), SYSTEMS)
def test_each_post_of_a_thread_is_a_comment_with_its_author(part: str, system: str) -> None:
    labelled = LabelledPage("1", "", "gold", type="article")
    texts = [f"{one} {k}" for k, one in enumerate(texts_of("english"))]
    thread = make_thread(labelled, texts, Random(3), part=part, system=system)
    assert thread is not None
    found = read(thread.html, "comments")["comments"].value
    shown = "\n".join(parse(thread.html).blocks.text)
    assert [one for one in thread.text.split("\n") if not any(one in c.text for c in found)] == []
    assert all(one.author and one.author in shown for one in found)


def test_notes_of_the_system_are_no_text_of_a_post() -> None:
    posts = "".join(
        f"<div id=post_{k}><div class=authi><a href=u>User {k}</a></div>"
        f"<div class=authi><em id=authorposton{k}>Posted 2020-1-{k} 10:00</em></div>"
        f"<td class=t_f id=postmessage_{k}><i class=pstatus>Edited today</i>Text {k}</td></div>"
        for k in (1, 2)
    )
    found = read(f"<table>{posts}</table>", "comments")["comments"].value
    assert [(c.author, c.date, c.text) for c in found] == [
        ("User 1", "2020-01-01T10:00:00", "Text 1"),
        ("User 2", "2020-01-02T10:00:00", "Text 2"),
    ]
