"""Finds the language of the article, as a BCP 47 tag.

The sources are the root's ``lang``, JSON-LD, microdata, ``<meta>`` and OpenGraph's locale, in this
order. A declared language often belongs to the site's template. So it is ignored if the text has
another script, or if a long text has the frequent words of another language. If no declared
language is left, the script decides if only one language uses it; else frequent words decide; else
py3langid, if installed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from typing import Any, Final

from scrapy_webtext.metadata.sources import Candidate, Sources, value_in
from scrapy_webtext.metadata.text import first_of, load_tables, plain_text, words_in

#: Number of characters, from the middle of the text, that decide its script.
SAMPLE: Final = 600

_TAG: Final = re.compile(
    r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.@][\w-]*)*", re.IGNORECASE
)
_TABLES: Final = load_tables("languages")
_NAMES: Final = _TABLES.pairs("names")
_OLD_CODES: Final = _TABLES.pairs("old codes")
#: (script, its letters, its languages).
_SCRIPTS: Final = [line.split(" ", 2) for line in _TABLES["scripts"]]
_LETTERS: Final = {name: re.compile(f"[{letters}]") for name, letters, _ in _SCRIPTS}
_LANGUAGES: Final = {name: frozenset(known.split()) for name, _, known in _SCRIPTS}
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")
_NORWEGIAN: Final = {"nb": "no", "nn": "no"}
#: Languages that are written in Latin letters and in another script.
_TWO_SCRIPTS: Final = frozenset(_TABLES.words("two scripts"))


#: Maximum number of characters of a text whose words are counted.
MAX_CHARS: Final = 6_000
#: A text is in a language if frequent words of the language are at least this many and at least
#: this share of all words, and at least this many of them are distinct.
MIN_FREQUENT: Final = 12
MIN_SHARE: Final = 0.15
MIN_KINDS: Final = 6
#: A declared language is ignored if the text has more than `MIN_OTHER` frequent words of another
#: language, and more than `TIMES` times as many as of the declared language.
MIN_OTHER: Final = 8
TIMES: Final = 3
#: A character outside words. Unlike in `text`, a digit is one, a vowel sign of Devanagari is not.
_NO_WORD: Final = re.compile(r"(?![\u0900-\u0903\u093a-\u094f])[\W\d_]")
_FREQUENT: Final = {
    tag: frozenset(words) for tag, *words in map(str.split, _TABLES["frequent words"])
}
#: Frequent word -> its languages.
_LANGUAGES_OF: Final = {
    word: [tag for tag, some in _FREQUENT.items() if word in some]
    for word in frozenset[str]().union(*_FREQUENT.values())
}


def find_language(sources: Sources) -> Candidate | None:
    """Return the first declared language that fits the text, else the language of the text."""
    text = sources.extraction.text
    words = Counter(words_in(text[:MAX_CHARS], _NO_WORD, str.lower))
    likely = likely_language(words)
    middle = max(0, len(text) // 2 - SAMPLE // 2)
    script = script_of(text[middle : middle + SAMPLE])
    for one in _declared_languages(sources):
        tag = language_tag(one.value)
        if tag and fits(tag, script) and not _is_template(tag, likely, words):
            return one._replace(value=tag)
    languages = {"zh"} if script == "Hani" else _LANGUAGES.get(script, ())
    if len(languages) == 1:
        return Candidate(next(iter(languages)), "letters of the text")
    if likely:
        return Candidate(likely, "frequent words of the text")
    tag = detect_language(text)
    return Candidate(tag, "py3langid") if tag else None


def likely_language(words: Counter[str]) -> str:
    """Return the language with most frequent words in a text; empty if they are too few."""
    counts = dict.fromkeys(_FREQUENT, 0)
    for word in _LANGUAGES_OF.keys() & words.keys():
        number = words[word]
        for tag in _LANGUAGES_OF[word]:
            counts[tag] += number
    best = max(counts, key=counts.__getitem__)
    is_clear = counts[best] >= max(MIN_FREQUENT, MIN_SHARE * words.total())
    return best if is_clear and len(_FREQUENT[best] & words.keys()) >= MIN_KINDS else ""


def _is_template(tag: str, likely: str, words: Counter[str]) -> bool:
    """Return whether a text has far more frequent words of another language than of this one."""
    tag = _NORWEGIAN.get(tag[:2], tag.partition("-")[0])
    if not likely or tag not in _FREQUENT:
        return False
    own, other = _FREQUENT[tag], _FREQUENT[likely]
    parts = (own - other, other - own)
    of_own, of_other = (sum(words[word] for word in some & words.keys()) for some in parts)
    return of_other > max(MIN_OTHER, TIMES * of_own)


def _declared_languages(sources: Sources) -> Iterator[Candidate]:
    """Yield the languages that the page declares, in order of trust."""
    yield Candidate(sources.root_language, "<html lang>")
    for one in sources.of_json_ld("language"):
        value = value_in(one.value, "alternateName", "name")
        yield one._replace(value=plain_text(first_of(value)))
    yield from sources.of_microdata("language")
    yield from sources.of_meta("language")


def language_tag(value: str) -> str:
    """Normalize a language tag (BCP 47): "en-US" for "en_us.UTF-8"; empty if not valid."""
    text = value.strip().split(",")[0].strip()
    if text.lower() in _NAMES:
        return _NAMES[text.lower()]
    match = _TAG.fullmatch(text[:40])
    if match is None:
        return ""
    language, script, region = match.groups()
    language = _OLD_CODES.get(language.lower(), language.lower())
    if language in ("und", "mul", "zxx", "xx", "xxx"):
        return ""
    parts = [language, script.title() if script else "", region.upper() if region else ""]
    return "-".join(filter(None, parts))


def script_of(text: str) -> str:
    """Return the script of most letters: "Latn", "Cyrl", ...; empty without letters."""
    latin = sum(map(len, _LATIN.findall(text)))
    if latin * 2 > len(text):
        return "Latn"
    if _LETTERS["Jpan"].search(text) and len(_LETTERS["Jpan"].findall(text)) * 10 > len(text):
        return "Jpan"
    counts = {name: len(letters.findall(text)) for name, letters in _LETTERS.items()}
    counts["Latn"] = latin
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else ""


def fits(tag: str, script: str) -> bool:
    """Return whether a language can be written in a script."""
    language = tag.partition("-")[0]
    if not script:
        return True
    if script == "Latn":
        return language in _TWO_SCRIPTS or language not in chain.from_iterable(_LANGUAGES.values())
    return language in _LANGUAGES[script]


def detect_language(text: str) -> str:
    """Return the language that py3langid (extra ``language``) finds for a text.

    Return "" if the package is not installed, or for a text shorter than a sentence.
    """
    module = _py3langid() if len(text) >= 40 else None
    return str(module.classify(text[:5_000])[0]) if module else ""


@cache
def _py3langid() -> Any:
    """Return the package; None if it is not installed."""
    return import_module("py3langid") if find_spec("py3langid") else None
