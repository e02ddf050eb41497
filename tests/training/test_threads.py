"""Threads of forums made from paragraphs of labelled pages."""

from __future__ import annotations

import json
from random import Random

import pytest

from scrapy_webtext.lab.corpus import LabelledPage, match_words, tokens
from scrapy_webtext.page import parse
from training import resource
from training.made_pages import make_page
from training.threads import SCRIPTS, TEST, TRAIN, make_thread, systems

TEXTS = {
    "english": "The harbour was quiet and {} of the boats lay where they had been left in the rain",
    "german": "Der Hafen war still und {} der Boote lagen dort, wo sie im Regen geblieben waren",
    "cyrillic": "Утром в гавани было тихо и {} лодок стояли там, где их оставили под дождём",
    "cjk": "早上港口很安静，有{}条船停在雨中，没有人在那里，只有一只猫在等它的鱼",
}
WORDINGS = json.loads(resource("threads.json"))


def texts_of(script: str) -> list[str]:
    end = "。" if script == "cjk" else "."
    return [TEXTS[script].format(number) + end for number in range(20)]


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("part", [TRAIN, TEST])
def test_posts_are_content_and_profiles_are_not(part: str, script: str) -> None:
    for system in systems(part):
        labelled = LabelledPage("1", "", "gold", type="article")
        thread = make_thread(labelled, texts_of(script), Random(7), part=part, system=system)
        assert thread is not None
        texts = parse(thread.html).blocks.text
        matches = match_words(texts, thread.text)
        assert sum(match.matched for match in matches) == len(tokens(thread.text))
        content = [t for t, m in zip(texts, matches, strict=True) if m.share > 0.5]
        assert len(content) >= 3
        known = WORDINGS[TRAIN][script] | WORDINGS[part][script]
        meta = [*known["rank"].split("|"), *known["author_name"].split("|")]
        assert any(one in text for one in meta for text in texts)
        assert not any(text in meta for text in content)
        assert (thread.type, thread.id) == ("forum", "1 made: posts")


def test_train_and_test_share_no_template_and_no_wording() -> None:
    assert {tuple(sources) for sources in systems(TRAIN).values()}.isdisjoint(
        {tuple(sources) for sources in systems(TEST).values()}
    )
    for script in SCRIPTS:
        test, train = (WORDINGS[part][script] for part in (TEST, TRAIN))
        assert {"joined", "posts", "reply", "quote", "rank", "author_name"} < set(test)
        for key, listed in test.items():
            assert set(listed.split("|")).isdisjoint(train[key].split("|"))


def test_no_thread_is_made_of_few_texts_or_other_languages() -> None:
    labelled = LabelledPage("1", "", "gold", type="article")
    assert make_thread(labelled, texts_of("english")[:2], Random(1)) is None
    assert make_thread(labelled, ["Η θάλασσα ήταν ήσυχη το πρωί."] * 9, Random(1)) is None
    assert make_thread(labelled, ["港は静かだった。船はそこにあった。"] * 9, Random(1)) is None


def test_a_page_is_made_of_an_articles_paragraphs() -> None:
    labelled = LabelledPage("1", "", "\n".join(texts_of("english")), type="article")
    labels, page = make_page("posts", labelled, parse("<title>Quiet</title>")) or (labelled, None)
    assert page is not None
    assert (labels.type, labels.id) == ("forum", "1 made: posts")
    assert any("boats lay where they had been left" in text for text in page.blocks.text)
