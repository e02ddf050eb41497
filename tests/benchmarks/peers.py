"""Packages for the same task, as far as they are installed here."""

from __future__ import annotations

import logging

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.lab.systems import TextSystem, make_system

PEERS = ("resiliparse", "trafilatura", "readability")


def installed() -> tuple[dict[str, TextSystem], list[str]]:
    """The peers that are here, and the names of those that are not."""
    systems, missing = {}, []
    for name in PEERS:
        try:
            systems[name] = make_system(name)
        except MissingExtraError:
            missing.append(name)
    return systems, missing


def silence() -> None:
    """Let peers keep to themselves what they do not like about a page."""
    for name in PEERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def left_out(missing: list[str]) -> str:
    """A line that says which are not here; empty if all are."""
    if not missing:
        return ""
    return f"Not installed (extra peers), so left out: {', '.join(missing)}."
