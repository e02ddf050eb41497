"""Free or paid access to an article, and its licence."""

from __future__ import annotations

from typing import Final

from scrapy_webtext.metadata.sources import Candidate, Sources
from scrapy_webtext.metadata.text import first_of, plain_text

#: Values of ``article:content_tier``, as Facebook knows them.
_TIERS: Final = {"free": True, "metered": False, "locked": False}
RESERVED: Final = "tdm-reservation"


def find_is_free(sources: Sources) -> Candidate | None:
    """Return whether an article is free to read, as the page declares it to search engines."""
    for one in sources.main:
        value = str(one.values.get("isaccessibleforfree", "")).strip().lower()
        value = value.rpartition("/")[2]  # http://schema.org/False
        if value in ("true", "false"):
            return Candidate(value == "true", f"JSON-LD {min(one.types, default='object')}")
    for tier, source, _ in sources.of_meta("is_free"):
        if tier.lower() in _TIERS:
            return Candidate(_TIERS[tier.lower()], source)
    return None


def find_licence(sources: Sources) -> Candidate | None:
    """Return the licence of an article: of JSON-LD, or the first link with ``rel=license``."""
    for one in sources.main:
        value = sources.json_ld.resolved(first_of(one.values.get("license")))
        if isinstance(value, dict):
            value = value.get("url") or value.get("@id") or value.get("name")
        if text := plain_text(first_of(value)):
            return Candidate(text, f"JSON-LD {min(one.types, default='object')}")
    attributes = sources.page.nodes.attributes
    for node, _, relation in attributes.named({"rel"}):
        if "license" in relation.lower().split() and (text := attributes.get(node, "href")):
            return Candidate(plain_text(text), "rel=license")
    if sources.texts_of_meta(RESERVED)[:1] == ["1"]:
        return Candidate(RESERVED, f"meta {RESERVED}")
    return None
