"""Structures put between two paragraphs of articles."""

from __future__ import annotations

import json
from random import Random

import pytest

from scrapy_webtext.lab import grafts, resource
from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.grafts import BOILERPLATE, CONTENT, TEST, TRAIN, letters_of
from scrapy_webtext.lab.made_pages import labelled_id

LINES = [f"{n} boats lay in the harbour that morning." for n in ("One", "Two", "Six", "Ten")]
LINES += [f"{n} cats sat on the wall and looked at them." for n in ("No", "Few", "Many")]
PAGE = LabelledPage(
    "1",
    f"<html lang=en><body><p>Menu<article>{''.join(f'<p>{s}</p>' for s in LINES)}</article>",
    "\n".join(LINES),
    "https://harbour.example/boats",
)
KINDS = (*CONTENT, *BOILERPLATE)


@pytest.mark.parametrize("part", [TRAIN, TEST])
@pytest.mark.parametrize("kind", KINDS)
def test_only_content_adds_its_lines_to_the_gold_text(kind: str, part: str) -> None:
    for seed in range(8):
        one = grafts.graft(PAGE, Random(seed), part=part, kind=kind)
        assert one is not None
        place = next(k for k, line in enumerate(LINES) if letters_of(line) == one.place.before) + 1
        assert place == 3 or part == TRAIN
        added = one.words.split("\n") if kind in CONTENT else []
        assert one.page.text.split("\n") == [*LINES[:place], *added, *LINES[place:]]
        assert len(one.page.html) > len(PAGE.html)
        assert (one.kind, one.is_content) == (kind, kind in CONTENT)
        assert labelled_id(one.page.id) == "1"


def test_the_parts_share_kinds_but_no_template_and_no_wording() -> None:
    sources = grafts.sources()
    for group in ("content", "boilerplate"):
        train, test = sources[group, TRAIN], sources[group, TEST]
        assert list(train) == list(test)
        assert not {s for some in train.values() for s in some} & {
            s for some in test.values() for s in some
        }
    wordings = json.loads(resource("structures.json"))
    for key, test in wordings["test"].items():
        train = wordings["train"][key]
        if isinstance(train, dict):
            assert train.keys() >= test.keys()
            assert not _all(train) & _all(test)
        else:
            assert not [one for one in train if one in test]


def _all(wordings: dict[str, str]) -> set[str]:
    return {word.strip().casefold() for listed in wordings.values() for word in listed.split("|")}


def test_every_wording_of_the_train_part_has_english() -> None:
    train = json.loads(resource("structures.json"))["train"]
    assert [key for key, own in train.items() if isinstance(own, dict) and "en" not in own] == []


def test_several_structures_are_put_into_one_page() -> None:
    found = grafts.graft_some(PAGE, Random(3))
    assert len(found) > 1
    last = found[-1].page
    assert all(one.words in last.text for one in found if one.is_content)
    assert last.id == "1 made: " + " + ".join(one.kind for one in found)
    assert grafts.graft_some(PAGE, Random(3)) == found


def test_a_page_without_six_gold_paragraphs_has_no_place() -> None:
    short = LabelledPage("1", PAGE.html, "\n".join(LINES[:5]))
    assert grafts.graft(short, Random(1)) is None
    assert grafts.graft_some(short, Random(1)) == []
