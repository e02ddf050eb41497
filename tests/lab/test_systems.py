"""Systems by name: extractors, baselines of the papers, peers; errors for unknown names."""

from __future__ import annotations

import sys
from math import e, log
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import SettingsError, UnknownExtractorError
from scrapy_webtext.extractors.pvalue import PValueExtractor
from scrapy_webtext.lab.systems import (
    BASELINES,
    Spec,
    densities,
    make_system,
    parse_spec,
    split_specs,
)
from scrapy_webtext.page import parse
from tests.kits.soup import soup


@pytest.mark.parametrize(
    ("listed", "specs"),
    [
        ("pvalue", ["pvalue"]),
        ("pvalue, bte,", ["pvalue", "bte"]),
        ("ttr:clustering=em,lines=blocks,bte", ["ttr:clustering=em,lines=blocks", "bte"]),
        ("a:x=1,b:y=2,z=3", ["a:x=1", "b:y=2,z=3"]),
        ("", []),
    ],
)
def test_a_list_is_split_at_commas_between_systems(listed: str, specs: list[str]) -> None:
    assert split_specs(listed) == specs


def test_values_of_options_are_json_or_else_strings() -> None:
    spec = parse_spec("a.b.C:n=2,f=0.5,t=true,s=folded,e=")
    assert spec == Spec("a.b.C", {"n": 2, "f": 0.5, "t": True, "s": "folded", "e": ""})
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


STORY = "It rained, it stormed, and then it was over. So, they say, it went."
MENU = "<ul>" + "<li><a href=/>Home</a></li>" * 20 + "</ul>"


def test_density_is_as_worked_by_hand() -> None:
    # div: 30 characters, 10 of them in one link; 2 tags inside, 1 of them a link.
    # The page is the div: LC_b / C_b = 1 / 3.
    html = f"<div><p>{'x' * 20}</p><a>{'y' * 10}</a></div>"
    page = parse(html)
    found = dict(zip(page.nodes.tag, densities(page), strict=True))
    base = log(30 / 20 * 10 + 10 / 30 * 30 + e)
    assert found["div"] == pytest.approx(30 / 2 * log(30 / 10 * 2 / 1) / log(base))
    # p: no tags and no links inside count as one, and so do no characters in links.
    base = log(20 / 20 * 1 + 10 / 30 * 20 + e)
    assert found["p"] == pytest.approx(20 / 1 * log(20 / 1 * 1 / 1) / log(base))


def test_cetd_finds_an_article_between_menus_and_ignores_hidden() -> None:
    story = "".join(f"<p>{STORY} {STORY}</p>" for _ in range(8))
    cetd = make_system("cetd")
    found = cetd.text(f"<body>{MENU}<div>{story}</div>{MENU}</body>", None)
    assert found == "\n".join([f"{STORY} {STORY}"] * 8)
    hidden = f"<select><option>{STORY * 9}</select>"
    assert cetd.text(f"<body><div><p>{STORY}</p></div>{hidden}</body>", None) == STORY


def test_lori_weighs_punctuation_and_links_and_sun_weighs_words() -> None:
    few = f"<div>{STORY}</div>"  # 6 marks, no link
    many = f"<div>{'words and words ' * 20}<a>a link</a></div>"
    html = f"<body>{few}{many}</body>"
    assert make_system("lori").text(html, None) == STORY
    assert make_system("sun").text(html, None).startswith("words and words")


@given(st.binary(max_size=200).map(soup))
def test_baselines_read_any_page(html: str) -> None:
    for name in BASELINES:
        assert isinstance(make_system(name).text(html, None), str)
        for empty in ("", "<p></p>", "<img>", "<script>x</script>"):
            assert make_system(name).text(empty, None) == ""
