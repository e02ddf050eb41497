"""Systems that can be scored: extractors and judges with options, and peers.

A system is written as its name, or with options as ``ttr:clustering=em,radius=3``. Commas also
separate the systems of a list: an entry without a name before its ``=`` is an option of the
system before it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.peers import CALLS
from scrapy_webtext.page import parse
from scrapy_webtext.registry import EXTRACTORS, make_extractor
from scrapy_webtext.results import Extractor


class Spec(NamedTuple):
    """A name and its options."""

    name: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TextSystem:
    """A system that returns the main text of a page from its HTML and URL."""

    call: Callable[[str, str | None], str | None]
    extractor: Extractor | None = None  #: None for a peer

    def text(self, html: str, url: str | None) -> str:
        """Return the main text of a page; empty if the system returns None."""
        return self.call(html, url) or ""


def split_specs(listed: str) -> list[str]:
    """Return the systems of a list, each as it is written there.

    >>> split_specs("bte,ttr:clustering=em,radius=3,pvalue")
    ['bte', 'ttr:clustering=em,radius=3', 'pvalue']
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
    options: dict[str, Any] = {}
    for part in filter(None, listed.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise SettingsError(f"{part!r} in {written!r} is no option; write NAME:OPTION=VALUE")
        options[key.strip()] = value.strip()
        with suppress(ValueError):
            options[key.strip()] = json.loads(value)
    return Spec(name.strip(), options)


def make_system(written: str) -> TextSystem:
    """Return the extractor or peer of this name; extractors come first.

    SettingsError for an unknown name or option, MissingExtraError for a peer that is not
    installed.
    """
    name, options = parse_spec(written)
    if name in EXTRACTORS or name not in CALLS:
        extractor = make_extractor(name, options)
        return TextSystem(lambda html, url: extractor.extract(parse(html, url=url)).text, extractor)
    if options:
        raise SettingsError(f"{written!r}: the peer {name} takes no options")
    return TextSystem(CALLS[name]())
