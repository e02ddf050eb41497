"""The forms in which pages write dates, as patterns of lower-cased text."""

from __future__ import annotations

import re
from typing import Final

YEAR: Final = r"((?:19|20)\d\d)"

#: Letters of a month's name; vowel signs of Indic and Thai words are none to Python.
_LETTER: Final = r"[^\W\d_]"
_MARKS: Final = r"[\u0900-\u0903\u093a-\u094f\u0e31-\u0e3a\u0e47-\u0e4e]"
HAS_MARKS: Final = re.compile(_MARKS)


#: A pattern of dates, lower-cased, in which WORD is a month; its kind; signs of which it has one.
_PATTERNS: Final = (
    # 2012-04-24, 2012/4/24, 2012.4.24
    (YEAR + r"[-/.](\d\d?)[-/.](\d\d?)(?!\d)", "ymd", "-/."),
    # 2012年4月24日, 2012년 4월 24일
    (YEAR + r"\s?[年년]\s?(\d\d?)\s?[月월]\s?(\d\d?)\s?[日일号號]", "ymd", "年년"),
    # 24.04.2012, 24. 4. 2012, 24/04/2012, 24-04-2012, 24 | 04 | 2012
    (
        r"(\d(?<![\d.]\d)\d?)(?: (?=\|))?([./|-])\s?(\d\d?)(?: (?=\|))?\2\s?" + YEAR + r"(?!\d)",
        "numbers",
        "./-|",
    ),
    # 24 April 2012, 24. April 2012, 24 de abril de 2012, 24th of April, 2012, 24-Apr-2012
    (
        r"(\d(?<!\d\d)\d?)(?:st|nd|rd|th|er|ère|[ºª°.]|-?го|\.º)?[\s,-]*"
        r"(?:de\s|d[’']|of\s|του\s|ngày\s)?\s*WORD\.?[\s,-]*"
        r"(?:de[l]?\s|of\s|του\s|г\.\s)?\s*(?:พ\.ศ\.\s*)?((?:19|20|25)\d\d)(?!\d)",
        "dwy",
        "",
    ),
    # April 24, 2012, Apr. 24th 2012, abril 24, 2012; the month is looked for before it
    (r"(\d\d?)(?:st|nd|rd|th)?(?:,?\s+|,)" + YEAR + r"(?!\d)", "dy", ""),
    # 2012. április 24., 2012 m. balandžio 24 d., 2012 Apr 24
    (YEAR + r"[.,]?\s+(?:m\.\s+)?WORD\.?\s+(\d\d?)(?!\d)", "ywd", ""),
    # 24 tháng 4, 2012
    (r"(\d\d?)\s+tháng\s+(\d\d?)(?:,|\s+năm)?\s+" + YEAR, "dmy", "á"),
)
_WORD: Final = rf"({_LETTER}{{2,20}}(?:\.{_LETTER})?)"
_WORD_WITH_MARKS: Final = _WORD.replace(_LETTER, f"(?:{_LETTER}|{_MARKS})")
KINDS: Final = [
    (re.compile(pattern.replace("WORD", _WORD)), kind, signs) for pattern, kind, signs in _PATTERNS
]
KINDS_WITH_MARKS: Final = [
    (re.compile(pattern.replace("WORD", _WORD_WITH_MARKS)), kind, signs)
    for pattern, kind, signs in _PATTERNS
]
MONTH_BEFORE: Final = re.compile(
    rf"((?:{_LETTER}|{_MARKS}){{2,20}}(?:\.{_LETTER})?)\.?[\s-]{{0,9}}\Z"
)
#: Characters before a day that are looked at.
MONTH_CHARS: Final = 32
