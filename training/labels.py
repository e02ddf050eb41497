"""The script and the registered domain of a labelled page; ids of made pages."""

from __future__ import annotations

import re
from typing import Final

from tldextract import TLDExtract

from scrapy_webtext.lab.corpus import LabelledPage

#: The id of a made page is the id of its labelled page, this separator, and the kind.
SEPARATOR: Final = " made: "

#: Uses tldextract's own list of public suffixes; nothing is fetched or cached.
_SPLIT: Final = TLDExtract(cache_dir=None, suffix_list_urls=())


def domain_of(page: LabelledPage) -> str:
    """Return the registered domain; a cross-validation puts all pages of a domain into one fold.

    It is the host if the host has no public suffix. For a page without an address it is the id up
    to its last "/", or the whole id.
    """
    if not page.url:
        return page.id.rpartition("/")[0] or page.id
    parts = _SPLIT(page.url)
    labels = (parts.domain, parts.suffix) if parts.suffix else (parts.subdomain, parts.domain)
    return ".".join(filter(None, labels)) or page.url


#: A text belongs to a script if a fifth of its characters are in the script's range.
_SCRIPTS: Final = {
    "cyrillic": re.compile("[\u0400-\u04ff]"),
    "greek": re.compile("[\u0370-\u03ff]"),
    "cjk": re.compile("[\u3040-\u30ff\u3400-\u9fff]"),
    "other": re.compile("[\u0590-\u06ff\u0900-\u0eff\uac00-\ud7af]"),
}
_LEAST_SHARE: Final = 0.2
#: Latin text is English or German if at least the share ``_LEAST_USUAL`` of its words is listed
#: here.
_USUAL: Final = (
    frozenset("the and of to in that for with this was you are from have not your".split()),
    frozenset("der die und das den von mit ist nicht auch für ein eine auf sich dem im".split()),
)
_LEAST_USUAL: Final = 0.06
_LOOKED_AT: Final = 20_000
_PLAIN_WORD: Final = re.compile(r"\w+")


def script_of(text: str) -> str:
    """Return the script: cyrillic, greek, cjk, other or latin; for two languages english or german.

    >>> script_of("Утром в гавани было тихо")
    'cyrillic'
    """
    text = text[:_LOOKED_AT]
    for name, letters in _SCRIPTS.items():
        if len(letters.findall(text)) > _LEAST_SHARE * len(text):
            return name
    words = _PLAIN_WORD.findall(text.lower())
    english, german = (sum(map(own.__contains__, words)) for own in _USUAL)
    if max(english, german) < _LEAST_USUAL * len(words) or not words:
        return "latin"
    return "english" if english >= german else "german"
