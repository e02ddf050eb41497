"""Systems by name: extractors, peers; errors for unknown names."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from scrapy_webtext.errors import SettingsError, UnknownExtractorError
from scrapy_webtext.extractors.pvalue import PValueExtractor
from scrapy_webtext.lab.systems import Spec, make_system, parse_spec, split_specs


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
