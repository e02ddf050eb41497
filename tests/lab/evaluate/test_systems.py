"""How systems are written, and what is said of those that are not known or not installed."""

from __future__ import annotations

import sys

import pytest

from scrapy_webtext.errors import MissingExtraError, SettingsError, UnknownExtractorError
from scrapy_webtext.extractors.peers import calls
from scrapy_webtext.extractors.pvalue import PValueExtractor, PValueJudge
from scrapy_webtext.lab.evaluate.systems import (
    OwnSystem,
    Spec,
    make_judge_of,
    make_system,
    parse_spec,
    split_specs,
)
from scrapy_webtext.registry import EXTRACTORS

PAGE = "<html><head><title>Rain</title></head><body><p>It rained, and it rained.</p></body></html>"


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
def test_a_list_is_parted_at_commas_that_part_no_options(listed: str, specs: list[str]) -> None:
    assert split_specs(listed) == specs


@pytest.mark.parametrize("listed", ["x=1", "bte,x=1"])
def test_an_option_without_a_system_is_an_error(listed: str) -> None:
    with pytest.raises(SettingsError, match="'x=1' belongs to no system; write NAME:x=1"):
        split_specs(listed)


def test_values_are_json_or_else_strings() -> None:
    spec = parse_spec("a.b.C:n=2,f=0.5,t=true,s=folded,e=")
    assert spec == Spec("a.b.C", {"n": 2, "f": 0.5, "t": True, "s": "folded", "e": ""})


def test_a_system_has_the_options_that_are_written() -> None:
    system = make_system("pvalue:attributes=none")
    assert system == OwnSystem(PValueExtractor(attributes="none"))
    assert make_judge_of("pvalue:whitespace=literal") == PValueJudge(whitespace="literal")


def test_text_of_an_extractor_is_that_of_the_parsed_page() -> None:
    assert make_system("pvalue").text(PAGE, None) == "It rained, and it rained."


@pytest.mark.parametrize(
    ("written", "error", "message"),
    [
        ("pvalu", UnknownExtractorError, "pvalu"),
        ("pvalue:attributes", SettingsError, "'attributes' in 'pvalue:attributes' is no option"),
        ("pvalue:colour=red", SettingsError, "colour"),
        ("pvalue:attributes=all", SettingsError, "attributes='all'"),
        ("trafilatura:fast=true", SettingsError, "the peer trafilatura takes no options"),
    ],
)
def test_what_is_written_wrongly_is_named(
    written: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make_system(written)


@pytest.mark.parametrize("peer", sorted(calls.CALLS))
def test_a_peer_that_is_not_installed_names_the_extra(
    peer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(module: str) -> object:
        raise ImportError(module)

    monkeypatch.setattr(calls, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"'\.\[peers\]'"):
        make_system(peer)


def test_a_peer_is_called_with_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    class Module:
        @staticmethod
        def extract(html: str, include_comments: bool, **options: bool) -> str | None:
            assert not include_comments
            return f"{html} {options}" if html else None

    monkeypatch.setitem(sys.modules, "trafilatura", Module)
    assert make_system("trafilatura").text("page", None) == "page {}"
    assert make_system("trafilatura_fast").text("page", None) == "page {'fast': True}"
    assert make_system("trafilatura").text("", None) == ""


def test_no_extractor_has_the_name_of_a_peer() -> None:
    assert not set(calls.CALLS) & set(EXTRACTORS)
