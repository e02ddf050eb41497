"""JSON-LD is read as JSON, within bounds; what is beyond them declares nothing."""

import json

import pytest

from scrapy_webtext import extract
from scrapy_webtext.extractors.fusion.features.declared import read_structured_data
from scrapy_webtext.page import scripts as room
from scrapy_webtext.page.scripts import read_scripts
from tests.kits import hostile
from tests.kits.data import read_json

DECLARED = json.dumps({"@type": "NewsArticle", "articleBody": "x"})


def types_of(*scripts: str) -> set[str]:
    return set(read_structured_data(read_scripts(scripts)).types)


def test_every_object_has_its_type_wherever_it_stands() -> None:
    graph = {"@graph": [{"@type": "WebPage", "author": {"@type": "Person"}}, [{"@type": "Thing"}]]}
    found = read_structured_data(read_scripts([json.dumps(graph), DECLARED]))
    assert found.types == {"WebPage", "Person", "Thing", "NewsArticle"}
    assert found.bodies == ("x",)
    # Of several types the first counts.
    scripts = ['{"@type": ["NewsArticle", "Thing"]}', '{"@type": "Person"}']
    found = read_structured_data(read_scripts(scripts))
    assert (found.types, found.only_types) == ({"NewsArticle", "Person"}, {"Person"})


HUGE = {
    '{"@type": "NewsArticle", "n": ' + "9" * 100_000 + "}": ["NewsArticle"],
    "[" * 100_000: [],
    '{"a":' * 100_000 + "1" + "}" * 100_000: [],
    '{"@type": "' + "NewsArticle" * 1_000 + '"}': [],
}


def test_a_script_declares_its_types_and_costs_no_other() -> None:
    for script, types in (read_json(__file__)["types of JSON-LD"] | HUGE).items():
        assert types_of(script) == set(types), script[:80]
        assert types_of(script, DECLARED) == {"NewsArticle"}, script[:80]


@pytest.mark.parametrize("depth", [room.MAX_DEPTH - 2, room.MAX_DEPTH, 500, 900])
def test_how_deep_is_too_deep_does_not_depend_on_who_calls(depth: int) -> None:
    script = "[" * depth + DECLARED + "]" * depth
    assert bool(types_of(script)) is (depth < room.MAX_DEPTH - 1)

    def called_from(levels: int) -> set[str]:
        return called_from(levels - 1) if levels else types_of(script)

    assert called_from(500) == types_of(script)


def test_so_many_scripts_and_characters_are_read() -> None:
    assert types_of(*["{}"] * (room.MAX_SCRIPTS - 1), DECLARED) == {"NewsArticle"}
    assert types_of(*["{}"] * room.MAX_SCRIPTS, DECLARED) == set()
    assert types_of("{}" + " " * (room.MAX_CHARS - 10), DECLARED) == set()
    assert types_of("{}" + " " * room.MAX_CHARS, DECLARED) == {"NewsArticle"}


SPAM = "Buy cheap pills online now, best casino bonus, no deposit needed, click here today. "
NEWS = " ".join(
    f"Sentence {k} of the news is here, and it is as long as others." for k in range(20)
)
LEAD = " ".join(NEWS.split()[:30])


def body(text: str) -> str:
    return json.dumps({"@type": "NewsArticle", "articleBody": text})


@pytest.mark.parametrize(
    "shown",
    [
        hostile.ARTICLE,
        f"<p>{hostile.SENTENCE * 8}</p>",
        "".join(f"<li><a href=/{k}>Product number {k} of the shop</a> $ {k}.99" for k in range(40)),
    ],
)
def test_a_page_that_shows_text_is_not_read_from_what_it_declares(shown: str) -> None:
    assert "casino" not in extract(hostile.declaring(body(SPAM * 100), shown)).main_text


@pytest.mark.parametrize(
    ("declared", "shown", "text"),
    [
        (body(NEWS), "<div id=app></div>", NEWS),
        (body(NEWS), f"<div id=app><h1>News</h1><p>{LEAD} ...</p></div>", NEWS),
        # no more elements than a text has
        (body("<p>x" * 50_000), "", ""),
        (body(f"<p>{NEWS}</p><p>x"), "", f"{NEWS}\nx"),
        (body(f"{NEWS} Ann &amp; Bo"), "", f"{NEWS} Ann & Bo"),
        # it can be stored
        ('{"articleBody": "' + NEWS + ' smile \\ud83d nul\\u0000 escape \\u001b[31m"}', "",
         f"{NEWS} smile ? nul escape [31m"),
    ],
)  # fmt: skip
def test_a_page_that_shows_only_the_lead_is_read_from_what_it_declares(
    declared: str, shown: str, text: str
) -> None:
    result = extract(hostile.declaring(declared, shown))
    assert (result.main_text, result.main_text_score) == (text, 0.5 if text else 0.0)
