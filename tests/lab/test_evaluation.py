"""Systems by name, and scores of a small corpus."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from scrapy_webtext.errors import SettingsError, UnknownExtractorError
from scrapy_webtext.extractors.pvalue import PValueExtractor
from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.evaluation import (
    make_system,
    parse_spec,
    score_extractors,
    score_judges,
    split_specs,
    unit_of,
)
from scrapy_webtext.lab.metrics import Losses
from tests.kits.data import read_json
from tests.lab import labelled

CASES = read_json(__file__, "specs.json")


def page(title: str, gold: str, kind: str = "article") -> LabelledPage:
    return labelled(title, f"<title>{title}</title><p>{title}, {gold}.</p>", [gold], kind=kind)


PAGES = [
    page("one two", "one two"),
    page("Bad weather", "bad weather"),
    page("one two three four", "one two five six", "forum"),
    page("no gold text", "", "listing"),
]
TITLE = "tests.lab.odd_systems.Title"


def test_each_page_with_a_gold_text_is_scored_by_each_system() -> None:
    names = [TITLE, f"{TITLE}:suffix=.two"]
    score, other = score_extractors(PAGES, names)
    assert (score.extractor, score.unit, other.extractor) == (TITLE, "words", names[1])
    assert [p.id for p in score.pages] == ["one two", "Bad weather", "one two three four"]
    assert [p.overlap.f1 for p in score.pages] == [1, 1, 0.5]
    assert other.pages[0].overlap == (2 / 3, 1, pytest.approx(0.8))
    found = score.summary()
    assert found["f1"] == pytest.approx(2.5 / 3)
    assert found["shingle_f1"] == pytest.approx(2 / 3)
    assert found["accurate_ratio"] == pytest.approx(2 / 3)
    assert found["f1_by_type"] == {"article": 1, "forum": 0.5}
    assert found["ms_median"] > 0
    assert "grades" not in found
    assert score.worst(1) == [2]


def test_an_exception_of_a_system_is_stored_with_the_page() -> None:
    (score,) = score_extractors(PAGES, ["tests.lab.odd_systems.Fails"])
    assert [page.error for page in score.pages] == ["", "RuntimeError: no text for bad pages", ""]
    assert score.pages[1].overlap.f1 == 0
    assert score.summary()["errors"] == 1


def test_slower_measures_are_computed_on_demand() -> None:
    (score,) = score_extractors(PAGES, [TITLE], measures="all")
    first, _, third = score.pages
    assert first.characters["lcs_recall"] == first.characters["edit_distance_ratio"] == 1
    assert first.losses == Losses(0, 0)
    # Of "onetwofivesix" 6 characters and, in order, an e (or an f) are left.
    assert third.characters["lcs_recall"] == 7 / 13
    assert 0 < first.characters["space_saved"] < 1
    found = score.summary()
    assert found["grades"] == {"excellent": 2, "good": 1, "poor": 0}
    assert (found["accuracy"], found["completeness"]) == (pytest.approx(2 / 3), 1)
    assert found["lcs_recall"] == pytest.approx(
        sum(page.characters["lcs_recall"] for page in score.pages) / 3
    )


def test_a_corpus_without_spaces_is_scored_by_characters() -> None:
    pages = [page("今天下雨了", "今天下雨"), page("短", "今天下雨")]
    (score,) = score_extractors(pages, [TITLE])
    assert score.unit == "chars"
    # Shingles 今天下雨, 天下雨了 against 今天下雨.
    assert score.pages[0].overlap == score.pages[0].shingles == (0.5, 1, pytest.approx(2 / 3))


@pytest.mark.parametrize(("texts", "unit"), CASES["units"])
def test_most_texts_decide_on_the_unit(texts: list[str], unit: str) -> None:
    assert unit_of(texts) == unit


def test_judges_are_scored_on_pages_whose_type_is_known() -> None:
    pages = [
        page("long enough", "x", "article"),
        page("short", "x", "article"),
        page("brief", "", "listing"),
        page("of any length", "", "product"),
        page("label is missing", "x", ""),
    ]
    (score,) = score_judges(pages, ["tests.lab.odd_systems.Length"])
    assert score.judged == [(1.0, True), (0.5, True), (0.5, False), (1.0, False)]
    found = score.summary(0.6)
    counts = ("true_positives", "false_positives", "false_negatives", "true_negatives")
    assert [found[name] for name in counts] == [1, 1, 1, 1]
    assert (found["pages"], found["articles"]) == (4, 2)
    assert found["recall"] == found["false_positive_rate"] == found["area_under_roc"] == 0.5
    assert found["ms_median"] > 0


@pytest.mark.parametrize("names", [[], ["nonesuch"]])
def test_wrong_systems_are_refused_before_a_page_is_read(names: list[str]) -> None:
    def unread() -> object:
        raise AssertionError("a page was read")
        yield

    with pytest.raises(SettingsError):
        score_extractors(unread(), names)  # type: ignore[arg-type]
    with pytest.raises(SettingsError):
        score_judges(unread(), names)  # type: ignore[arg-type]


@pytest.mark.parametrize(("listed", "specs"), CASES["specs"])
def test_a_list_is_split_at_commas_between_systems(listed: str, specs: list[str]) -> None:
    assert split_specs(listed) == specs


def test_values_of_options_are_json_or_else_strings() -> None:
    spec = parse_spec("a.b.C:n=2,f=0.5,t=true,s=folded,e=")
    assert spec == ("a.b.C", {"n": 2, "f": 0.5, "t": True, "s": "folded", "e": ""})
    assert make_system("pvalue:reading=paper").extractor == PValueExtractor(reading="paper")


@pytest.mark.parametrize(
    ("written", "error", "message"),
    [
        ("pvalu", UnknownExtractorError, "pvalu"),
        ("x=1", SettingsError, "'x=1' belongs to no system; write NAME:x=1"),
        ("pvalue:attributes", SettingsError, "'attributes' in 'pvalue:attributes' is no option"),
        ("pvalue:colour=red", SettingsError, "colour"),
        ("pvalue:reading=all", SettingsError, "reading='all'"),
        ("trafilatura:fast=true", SettingsError, "the peer trafilatura takes no options"),
    ],
)
def test_the_error_names_the_wrong_part(written: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make_system(*split_specs(written))


def test_a_peer_is_called_with_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def extract(html: str, include_comments: bool) -> str | None:
        return f"{html} {include_comments}" if html else None

    monkeypatch.setitem(sys.modules, "trafilatura", SimpleNamespace(extract=extract))
    peer = make_system("trafilatura")
    assert [peer.text(html, None) for html in ("page", "")] == ["page False", ""]
