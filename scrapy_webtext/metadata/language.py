"""The language of the article, as a BCP 47 tag.

The root's ``lang`` first, then JSON-LD, ``<meta>`` and OpenGraph's locale; a declared language
whose script is not that of the text is a template's, and left out. Where none is declared, some
languages are told by letters that no other has, the rest by py3langid where it is installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.metadata.found import Found
from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.words import plain_text

#: Characters of the text that its script is read from.
SAMPLE: Final = 600

_TAG: Final = re.compile(
    r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_.@][\w-]*)*", re.IGNORECASE
)
#: Names of languages that stand where tags belong.
_NAMES: Final = {
    "english": "en", "german": "de", "deutsch": "de", "french": "fr", "français": "fr",
    "spanish": "es", "español": "es", "italian": "it", "italiano": "it", "russian": "ru",
    "русский": "ru", "portuguese": "pt", "português": "pt", "dutch": "nl", "nederlands": "nl",
    "polish": "pl", "polski": "pl", "japanese": "ja", "chinese": "zh", "arabic": "ar",
    "turkish": "tr", "türkçe": "tr", "greek": "el", "swedish": "sv", "korean": "ko", "hindi": "hi",
}  # fmt: skip
#: Codes that pages use and that are none, or old ones.
_OLD: Final = {"iw": "he", "in": "id", "ji": "yi", "jp": "ja", "cn": "zh", "gr": "el", "cz": "cs",
               "ua": "uk", "dk": "da", "se": "sv", "kr": "ko", "mo": "ro"}  # fmt: skip

#: Scripts by their letters, and the languages that are written so; all others are Latin.
_SCRIPTS: Final = {
    "Cyrl": ("\u0400-\u052f", "ru uk be bg sr mk kk ky mn tg tt ba cv os sah ab bs uz az"),
    "Grek": ("\u0370-\u03ff\u1f00-\u1fff", "el"),
    "Arab": ("\u0600-\u06ff\u0750-\u077f", "ar fa ur ps ug ckb sd ku pa az"),
    "Hebr": ("\u0590-\u05ff", "he yi"),
    "Jpan": ("\u3040-\u30ff", "ja"),
    "Hang": ("\uac00-\ud7af", "ko"),
    "Hani": ("\u4e00-\u9fff", "zh ja ko yue wuu"),
    "Thai": ("\u0e00-\u0e7f", "th"),
    "Deva": ("\u0900-\u097f", "hi mr ne sa kok bho mai"),
    "Beng": ("\u0980-\u09ff", "bn as"),
    "Guru": ("\u0a00-\u0a7f", "pa"),
    "Gujr": ("\u0a80-\u0aff", "gu"),
    "Taml": ("\u0b80-\u0bff", "ta"),
    "Telu": ("\u0c00-\u0c7f", "te"),
    "Knda": ("\u0c80-\u0cff", "kn"),
    "Mlym": ("\u0d00-\u0d7f", "ml"),
    "Sinh": ("\u0d80-\u0dff", "si"),
    "Mymr": ("\u1000-\u109f", "my"),
    "Geor": ("\u10a0-\u10ff", "ka"),
    "Armn": ("\u0530-\u058f", "hy"),
    "Khmr": ("\u1780-\u17ff", "km"),
    "Ethi": ("\u1200-\u137f", "am ti"),
}
_LETTERS: Final = {name: re.compile(f"[{letters}]") for name, (letters, _) in _SCRIPTS.items()}
_LANGUAGES: Final = {name: frozenset(known.split()) for name, (_, known) in _SCRIPTS.items()}
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")
#: Languages that are written in Latin letters as well as in the script above that has them.
_BOTH: Final = frozenset("sr bs uz az kk ku tt mn sh".split())


def find_language(sources: Sources) -> Found | None:
    """Return the language; None where none is declared that the text can be of, nor told."""
    sample = _sample(sources)
    script = script_of(sample)
    for value, source in _declared(sources):
        tag = language_tag(value)
        if tag and fits(tag, script):
            return Found(tag, source)
    if script in _LANGUAGES and len(_LANGUAGES[script]) == 1:
        return Found(next(iter(_LANGUAGES[script])), "letters of the text")
    if script == "Hani":
        return Found("zh", "letters of the text")
    if is_detector_installed() and (tag := detect_language(sources.extraction.text)):
        return Found(tag, "py3langid")
    return None


def _declared(sources: Sources) -> Iterator[tuple[str, str]]:
    if sources.head.language:
        yield sources.head.language, "<html lang>"
    for source, value in sources.values("inLanguage"):
        if isinstance(value, dict):
            value = value.get("alternateName") or value.get("name")
        if isinstance(value, list):
            value = value[0] if value else None
        yield plain_text(value), source
    for prop in sources.properties:
        if prop.field == "language" and prop.is_own:
            yield sources.attribute(prop.node, "content"), "microdata inLanguage"
    for source, texts in sources.head.values("language"):
        yield texts[0], source


def language_tag(value: str) -> str:
    """Return a tag as BCP 47 writes it, empty for what is none: "en_us.UTF-8" is "en-US"."""
    text = value.strip().split(",")[0].strip()
    if text.lower() in _NAMES:
        return _NAMES[text.lower()]
    match = _TAG.fullmatch(text[:40])
    if match is None:
        return ""
    language, script, region = match.groups()
    language = _OLD.get(language.lower(), language.lower())
    if language in ("und", "mul", "zxx", "xx", "xxx"):
        return ""
    parts = [language, script.title() if script else "", region.upper() if region else ""]
    return "-".join(filter(None, parts))


def script_of(text: str) -> str:
    """Return the script of most letters of a text: "Latn", "Cyrl", ...; empty without letters."""
    if text.isascii():
        return "Latn" if _LATIN.search(text) else ""
    if len(text.encode("latin-1", "ignore")) * 10 > len(text) * 8 and _LATIN.search(text):
        return "Latn"
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
    """Whether a language can be written in a script."""
    language = tag.partition("-")[0]
    if not script:
        return True
    if script == "Latn":
        return language in _BOTH or not any(language in known for known in _LANGUAGES.values())
    return language in _LANGUAGES[script]


def _sample(sources: Sources) -> str:
    text = sources.extraction.text
    middle = max(0, len(text) // 2 - SAMPLE // 2)
    return text[middle : middle + SAMPLE]


def detect_language(text: str) -> str:
    """Return the language that a text seems to be written in; py3langid, of an extra, tells.

    MissingExtraError without it; empty for less than a sentence.
    """
    if len(text) < 40:
        return ""
    return _classifier()(text[:5_000])


@cache
def is_detector_installed() -> bool:
    """Whether the package that `detect_language` needs is there."""
    return find_spec("py3langid") is not None


@cache
def _classifier() -> Callable[[str], str]:
    try:
        module = import_module("py3langid")
    except ImportError:
        raise MissingExtraError(
            "the language of pages that declare none", "py3langid", "language"
        ) from None
    return lambda text: str(module.classify(text)[0])
