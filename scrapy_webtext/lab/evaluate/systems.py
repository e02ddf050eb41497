"""What can be scored: extractors and judges by name with options, baselines and peers.

A system is written as its name, or with options as ``ttr:clustering=em,lines=blocks``. Several
stand in one list, parted by commas too: what has no name before its ``=`` belongs to the system
before it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.peers.calls import CALLS
from scrapy_webtext.lab.evaluate.baselines import BASELINES
from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import EXTRACTORS, make_extractor, make_judge
from scrapy_webtext.results import Extractor, Judge


@dataclass(frozen=True, slots=True)
class Spec:
    """A name and its options."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


class TextSystem(Protocol):
    """Anything that gives the main text of a page."""

    def text(self, html: str, url: str | None) -> str:
        """Return the main text of a page."""
        ...


@dataclass(frozen=True, slots=True)
class OwnSystem:
    """An extractor of this package, or a user's own."""

    extractor: Extractor

    def text(self, html: str, url: str | None) -> str:
        """Return the text that the extractor finds; parsing is part of it."""
        return self.extractor.extract(parse(html, url=url)).text


@dataclass(frozen=True, slots=True)
class Baseline:
    """An algorithm that a paper compares itself with."""

    find: Callable[[Page], str]

    def text(self, html: str, url: str | None) -> str:
        """Return the text that the algorithm finds; parsing is part of it."""
        return self.find(parse(html, url=url))


@dataclass(frozen=True, slots=True)
class Peer:
    """An extractor of another package, called as its documentation says."""

    name: str
    call: Callable[[str, str | None], str | None]

    def text(self, html: str, url: str | None) -> str:
        """Return the text that the peer finds, empty where it gives none."""
        return self.call(html, url) or ""


def split_specs(listed: str) -> list[str]:
    """Return the systems of a list, each as it is written there.

    >>> split_specs("bte,ttr:clustering=em,lines=blocks,pvalue")
    ['bte', 'ttr:clustering=em,lines=blocks', 'pvalue']
    """
    found: list[str] = []
    for part in filter(None, map(str.strip, listed.split(","))):
        if "=" in part and ":" not in part.partition("=")[0]:
            if not found or ":" not in found[-1]:
                raise SettingsError(f"{part!r} belongs to no system; write NAME:{part}")
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def parse_spec(written: str) -> Spec:
    """Return name and options of one system; values are read as JSON, else as strings.

    >>> parse_spec("ttr:clustering=em,radius=2")
    Spec(name='ttr', options={'clustering': 'em', 'radius': 2})
    """
    name, _, listed = written.partition(":")
    options = {}
    for part in filter(None, listed.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise SettingsError(f"{part!r} in {written!r} is no option; write NAME:OPTION=VALUE")
        options[key.strip()] = _value(value.strip())
    return Spec(name.strip(), options)


def make_system(written: str) -> TextSystem:
    """Return the extractor, baseline or peer of this name; extractors come first.

    SettingsError for a name or option that is not known, MissingExtraError for a peer that is
    not installed.
    """
    spec = parse_spec(written)
    if spec.name not in EXTRACTORS and (spec.name in CALLS or spec.name in BASELINES):
        if spec.options:
            raise SettingsError(f"{written!r}: the peer {spec.name} takes no options")
        if spec.name in BASELINES:
            return Baseline(BASELINES[spec.name])
        return Peer(spec.name, CALLS[spec.name]())
    return OwnSystem(make_extractor(spec.name, spec.options))


def make_judge_of(written: str) -> Judge:
    """Return the judge of this name and options; errors as `make_system`."""
    spec = parse_spec(written)
    return make_judge(spec.name, spec.options)


def _value(written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return written
