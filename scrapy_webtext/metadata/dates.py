"""Reads dates in texts: ISO 8601, the format of e-mail, numbers, seconds, words in 60 languages.

A date has a day, a month and a year of four digits, in the digits of any script. The year may also
be of another calendar in its own notation: Buddhist, Minguo, Japanese eras, Solar Hijri. The
language decides the order of numbers such as 03/04/2020. If the order is unknown, such numbers are
not read.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from datetime import time as clock_time
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import decimal

from scrapy_webtext.metadata.text import load_tables

TABLES: Final = load_tables("dates")
#: The day of the first web page; no page has an earlier date.
FIRST_DAY: Final = date(1991, 8, 6)
_EPOCH: Final = date(1970, 1, 1).toordinal()
#: Maximum number of characters of a value that are read.
MAX_CHARS: Final = 300

YEAR: Final = r"((?:19|20)\d\d)"
#: A letter of a month's name. Python does not count vowel signs of Indic and Thai words (`_MARKS`)
#: as letters.
_LETTER: Final = r"[^\W\d_]"
_MARKS: Final = (
    r"[\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0a3c-\u0a4d\u0a70\u0a71\u0a81-\u0a83"
    r"\u0abc-\u0acd\u0c00-\u0c03\u0c3c-\u0c4d\u0c81-\u0c83\u0cbc-\u0ccd\u0d00-\u0d03\u0d3b-\u0d4d"
    r"\u0bbe-\u0bcd\u0e31-\u0e3a\u0e47-\u0e4e]"
)
_HAS_MARKS: Final = re.compile(_MARKS)
_MONTH_BEFORE: Final = re.compile(
    rf"((?:{_LETTER}|{_MARKS}){{2,20}}(?:\.{_LETTER})?)\.?[\s-]{{0,9}}\Z"
)
#: Maximum number of characters that are read before a day.
MONTH_CHARS: Final = 32


def _forms(letter: str) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, signs, pattern) of each format of dates; ``letter`` matches one letter."""
    word = rf"({letter}{{2,20}}(?:\.{letter})?|[ก-ฮ]\.[ก-ฮ])"
    for line in TABLES["forms"]:
        kind, signs, text = line.split(" ", 2)
        yield kind, signs.strip("*"), text.replace("YEAR", YEAR).replace("WORD", word)


_FORMS, _FORMS_WITH_MARKS = (  # the latter for words with vowel signs
    [(kind, signs, re.compile(text)) for kind, signs, text in _forms(letter)]
    for letter in (_LETTER, f"(?:{_LETTER}|{_MARKS})")
)

#: Case-folded name of a month, without the dot of an abbreviation -> its number, 1 to 12.
MONTHS: Final[Mapping[str, int]] = {
    word.casefold(): number
    for number, words in enumerate(TABLES["months"], 1)
    for word in words.split()
}
_CROATIAN: Final = TABLES.pairs("croatian months")

#: Matches "GMT+7" and "UTC-4".
_ZONE: Final = r"(?:utc|gmt)\s?[+\u2212–-]\s?\d\d?(?::?\d\d)?\b"
_ISO: Final = re.compile(
    YEAR + r"-(\d\d?)-(\d\d?)(?!\d)(?:[T ]\s*(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*([ap]m\b)?\s*"
    rf"({_ZONE}|Z\b|UTC|GMT|[+-]\d\d:?\d\d\b|[+-]\d\d\b)?)?",
    re.IGNORECASE,
)
_COMPACT: Final = re.compile(
    YEAR + r"(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?()(Z|[+-]\d\d:?\d\d)?", re.IGNORECASE
)
_SECONDS: Final = re.compile(r"(\d{10})(?:\d{3})?(?:\.\d*)?")

_HALF: Final = re.compile(r"\d\s?[ap]\.?m\b")
_HAS_YEAR: Final = re.compile(r"\d(?:(?:(?<=1)9|(?<=2)[05])\d\d|\.\d\d?\.\d\d)")
_SHORT: Final = re.compile(r"\W{0,9}(\d\d?\.\d\d?\.)(\d\d)\W{0,9}")
_TIME: Final = re.compile(
    r"(?:[^\d\n|·•]{0,14}?|[^\w\n]{0,14}?)\b(\d\d?)[:.h](\d\d)(?::(\d\d))?(?!\d)\s*([ap])?\.?\s?(?:m\b\.?)?\s*"
    rf"\(?({_ZONE}|z\b|[+-]\d\d?:?\d\d\b|[a-z]{{3,4}}\b)?"
)
#: A time before a date, with at most `_TIME_CHARS` characters:
#: "8:00 PM EST, Tue December 19, 2023", "12:37 GMT, 21 December 2023".
_TIME_BEFORE: Final = re.compile(
    r"\b(\d\d?)[:.](\d\d)()(?:\s?([ap])\.?m\.?|(?<=:\d\d))\s?\(?"
    rf"({_ZONE}|[a-z]{{2,4}}\b)?\)?[\s,]{{0,3}}(?:on\s)?"
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}[\s,]{1,3})?(?:[a-z]{3,9}\.?\s)?\Z"
)
_TIME_CHARS: Final = 40
_OFFSET: Final = re.compile(r"([+-])(\d\d?):?(\d\d)?$")
_ZONES: Final = TABLES.pairs("zones")

#: Clocks of twelve hours: "오후 3:20", "下午3时20分" (hour, minute) and "3:20 م" (group 5 and 6).
_HALVES: Final = {half: kind for kind in ("am", "pm") for half in TABLES.words(kind)}
_CLOCK: Final = re.compile(
    rf"({'|'.join(_HALVES)})\s?(\d\d?)\s?[:時时点點시]\s?(\d\d)?[分분]?"
    rf"|(\d\d?[:.]\d\d)\s?({'|'.join(_HALVES)})(?!\w)"
)
#: The beginning of a day of the week -> its number.
_WEEKDAYS: Final = {
    word: number for number, line in enumerate(TABLES["weekdays"]) for word in line.split()
}
_WEEKDAY_BEFORE: Final = re.compile(r"([^\W\d_]{2,12})\.?,?\s{0,3}\Z")
#: Characters of scripts with digits or calendars of their own, and marks of direction.
_EASTERN: Final = re.compile("[\u0370-\u03ff\u0600-\u1fff\u200c-\u200f\u2c00-\U0010ffff]")
_DIGIT: Final = re.compile(r"(?![0-9])\d")
_DIRECTION: Final = re.compile("[\u061c\u200c-\u200f]")
#: Arabic months of two words.
_TWO_WORDS: Final = re.compile(r"(تشرين|كانون)\s(?:(ال)[أا]ول|(الثاني))")
_ERAS: Final = TABLES.pairs("eras")
_ERA: Final = re.compile(rf"({'|'.join(_ERAS)})\s?(元|\d{{1,3}})\s?年")
_SOLAR_MONTHS: Final = TABLES.words("solar months")
#: `_SOLAR` matches 31 شهریور 1400, and `_SOLAR_NUMBERS` matches 1400/06/31 in Persian digits.
_SOLAR: Final = re.compile(
    rf"(?<!\d)(\d\d?)\s(?:({'|'.join(_SOLAR_MONTHS)})(?:\sماه)?)\s(1[34]\d\d)(?!\d)"
)
_SOLAR_NUMBERS: Final = re.compile(r"(?<!\d)([۰-۹]{4})([/-])([۰-۹]{1,2})\2([۰-۹]{1,2})(?!\d)")


class Moment(NamedTuple):
    """A day, with time and zone if known."""

    day: date
    time: tuple[int, int, int] | None = None  #: hour, minute, second
    zone: timedelta | None = None

    def __str__(self) -> str:
        """Return the moment in ISO 8601, as precise as known."""
        if self.time is None:
            return self.day.isoformat()
        zone = None if self.zone is None else timezone(self.zone)
        return self.clock().replace(tzinfo=zone).isoformat().replace("+00:00", "Z")

    def clock(self) -> datetime:
        """Return day and time in the moment's own zone, as a datetime without a zone."""
        return datetime.combine(self.day, clock_time(*(self.time or (0, 0, 0))))

    def at(self, zone: timedelta) -> Moment:
        """Return the same moment in another zone; a moment without a zone is in UTC."""
        there = self.clock() - (self.zone or timedelta(0)) + zone
        return Moment(there.date(), (there.hour, there.minute, there.second), zone)

    @property
    def is_likely(self) -> bool:
        """Whether a page can have this date: not before the web, not after tomorrow."""
        return self.day >= FIRST_DAY and self.day.toordinal() <= _EPOCH + time.time() // 86_400 + 1


def read_date(value: object, language: str = "") -> Moment | None:
    """Return the date in a value; None if it has no date or an unlikely date."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = western(str(value)[:MAX_CHARS].strip())
    moment = _of_iso(text) or next(find_dates(text, language), None)
    return moment if moment is not None and moment.is_likely else None


def _of_iso(text: str) -> Moment | None:
    """Return the date of a text that is ISO 8601 or seconds since 1970; None for others."""
    match = _ISO.match(text) or _COMPACT.fullmatch(text)
    if match and (moment := _moment(*match.group(1, 2, 3))):
        return _at(moment, *match.groups()[3:])
    if match := _SECONDS.fullmatch(text):
        at = datetime.fromtimestamp(int(match[1]), timezone.utc)
        return Moment(at.date(), (at.hour, at.minute, at.second), timedelta(0))
    return None


def has_year(text: str) -> bool:
    """Return whether a text has a year, so that it may have a date."""
    return _HAS_YEAR.search(western(text)) is not None


def western(text: str) -> str:
    """Return a text with ASCII digits, and with Gregorian years for named calendars."""
    if text.isascii() or not _EASTERN.search(text):
        return text
    text = _SOLAR_NUMBERS.sub(lambda m: _of_solar(m[1], m[3], m[4]) or m[0], text)
    text = _DIGIT.sub(lambda m: str(decimal(m[0])), _DIRECTION.sub("", text))
    text = _SOLAR.sub(lambda m: _of_solar(m[3], _SOLAR_MONTHS.index(m[2]) + 1, m[1]) or m[0], text)
    text = _ERA.sub(lambda m: f"{int(_ERAS[m[1]]) + int(m[2].replace('元', '1'))}年", text)
    text = _CLOCK.sub(_western_clock, text)
    return _TWO_WORDS.sub(lambda m: m[1] + ("الثاني" if m[3] else "الاول"), text)


def _western_clock(match: re.Match[str]) -> str:
    if match[4]:
        return f"{match[4]} {_HALVES[match[5]]}"
    return f"{match[2]}:{match[3] or '00'} {_HALVES[match[1]]}"


def _of_solar(year: str, month: str | int, day: str) -> str:
    """Convert a date of the Solar Hijri calendar (33 years have 8 leap days) to ISO 8601."""
    y, m, d = int(year), int(month), int(day)
    if not (1300 <= y < 1500 and 1 <= m <= 12 and 1 <= d <= 31):
        return ""
    first = 226_530 + 365 * y + (8 * y + 21) // 33
    return date.fromordinal(first + 30 * (m - 1) + min(m - 1, 6) + d - 1).isoformat()


class Found(NamedTuple):
    """A date in a text."""

    moment: Moment
    start: int  #: start of the date, without a time before it
    end: int  #: end of the date, including a time after it


def find_dates(text: str, language: str = "", is_short: bool = False) -> Iterator[Moment]:
    """Yield the likely dates in a text, in order, each with the time next to it.

    With ``is_short``, a text that is only a date may have a year of two digits, such as "23.09.22".
    """
    return (one.moment for one in locate_dates(western(text), language, is_short))


@lru_cache(maxsize=64)  # several fields read the dates of the same texts
def locate_dates(text: str, language: str = "", is_short: bool = False) -> Sequence[Found]:
    """Return the same dates as `find_dates`, with their offsets in a `western` text."""
    text = text[:MAX_CHARS].lower()
    if is_short and (match := _SHORT.fullmatch(text)):
        text = f"{match[1]}20{match[2]}"
    found: dict[int, tuple[Moment, int]] = {}
    has_marks = not text.isascii() and _HAS_MARKS.search(text)
    for kind, signs, pattern in _FORMS_WITH_MARKS if has_marks else _FORMS:
        if signs and not any(sign in text for sign in signs):
            continue
        for match in pattern.finditer(text):
            moment = _of_parts(kind, match, language)
            if moment is None and kind == "numbers" and _HALF.search(text, match.end()):
                moment = _of_parts(kind, match, "en-us")  # with "pm", the month comes first
            if moment is not None and moment.is_likely:
                found.setdefault(match.start(), (moment, match.end()))
    located: list[Found] = []
    for start in sorted(found):
        moment, end = found[start]
        if month := _MONTH_BEFORE.search(text[max(0, start - MONTH_CHARS) : start]):
            start -= len(month[0]) * (month_of(month[1], language) > 0)
        if clock := _TIME.match(text, end):
            end = clock.end()
        else:
            clock = _TIME_BEFORE.search(text[max(0, start - _TIME_CHARS) : start])
        located.append(Found(_at(moment, *clock.groups()) if clock else moment, start, end))
    return located


def month_of(word: str, language: str = "") -> int:
    """Return the number of the month with this name; 0 for other words."""
    word = word.casefold().rstrip(".")
    if language.startswith(("hr", "bs")) and word in _CROATIAN:
        return int(_CROATIAN[word])
    return MONTHS.get(word.removeprefix("ב"), 0)  # Hebrew "in"; no month begins with it


def _of_parts(kind: str, match: re.Match[str], language: str) -> Moment | None:
    """Return the date of a match; each letter of ``kind`` says what a group is."""
    if kind == "numbers":
        named = _of_weekday(match)
        return named or _of_numbers(match[1], match[2], match[3], match[4], language)
    parts = dict(zip(kind, match.groups(), strict=True))
    word = parts.get("w", "")
    if kind == "dy":
        start = match.start()
        before = _MONTH_BEFORE.search(match.string[max(0, start - MONTH_CHARS) : start])
        word = before[1] if before else ""
    year = int(parts["y"])
    year -= 543 if year > 2400 else 0  # a year of the Buddhist calendar
    return _moment(year, parts.get("m") or month_of(word, language), parts["d"])


def _of_weekday(match: re.Match[str]) -> Moment | None:
    """Return the date of two numbers after a day of the week, if only one order has this day."""
    start = match.start()
    word = _WEEKDAY_BEFORE.search(match.string[max(0, start - MONTH_CHARS) : start])
    number = _WEEKDAYS.get(word[1]) if word else None
    dates = {_moment(match[4], *pair) for pair in (match.group(1, 3), match.group(3, 1))}
    found = [one for one in dates if one and one.day.weekday() == number]
    return found[0] if len(found) == 1 else None


def _of_numbers(one: str, sign: str, other: str, year: str, language: str) -> Moment | None:
    """Return the date of two numbers and a year; None if the order of the numbers is unknown."""
    if one == other or int(other) > 12:
        return _moment(year, one, other)
    if sign == "." or int(one) > 12:
        return _moment(year, other, one)
    language = language.lower()
    if language in ("en-us", "en_us", "fil", "en-ph"):
        return _moment(year, one, other)
    if not language or language == "en":
        return None
    return _moment(year, other, one)


def _moment(year: str | int, month: str | int, day: str | int) -> Moment | None:
    try:
        return Moment(date(int(year), int(month), int(day)))
    except ValueError:
        return None


def _at(moment: Moment, *clock: str | None) -> Moment:
    """Add a time to a moment, if it is valid: hour, minute, second, "am" or "pm", zone."""
    hour, minute, second, half, zone = clock
    if hour is None or minute is None:
        return moment
    hours = int(hour)
    if half and hours <= 12:
        hours = hours % 12 + (12 if half[0] in "pP" else 0)
    time = (hours, int(minute), int(second or 0))
    is_valid = time[0] < 24 and max(time[1:]) < 60
    return Moment(moment.day, time, _offset(zone)) if is_valid else moment


def _offset(zone: str | None) -> timedelta | None:
    zone = (zone or "").replace("\u2212", "-").replace("–", "-").replace(" ", "").upper()
    digits = _OFFSET.search(zone)
    if zone in _ZONES:
        return timedelta(hours=int(_ZONES[zone]))
    if digits is None or (minutes := int(digits[2]) * 60 + int(digits[3] or 0)) > 14 * 60:
        return None
    return timedelta(minutes=-minutes if digits[1] == "-" else minutes)
