"""The compiled patterns of the package, and inputs that make a bad one show itself.

A pattern takes more than linear time where a part that repeats can be left in several ways, or is
begun anew at every place of the input. So each repeated part is repeated thousands of times:
behind what comes before it, alone, and together with that, each with an end that does not fit.
"""

import importlib
import importlib.util
import pkgutil
import re
import sys
import time
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any, Final

import scrapy_webtext

if sys.version_info >= (3, 11):
    from re import _compiler as compiler
    from re import _constants as constants
    from re import _parser as parser
else:
    import sre_compile as compiler
    import sre_constants as constants
    import sre_parse as parser

#: Characters that stand for a class of them, as far as they belong to it.
ALPHABET: Final = " a\tA\n0\"'<>=/.,-_:;[](){}&!?%@漢。\x01\u00e9"
#: Operations that fit one character.
ONE_CHARACTER: Final = (constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN)
#: Repetitions below this are no matter.
MANY: Final = 50
SIZES: Final = (22, 1_000, 8_000)
#: CPU seconds that no linear pattern needs: it takes a tenth of it.
TOO_LONG: Final = 0.03
ENDS: Final = ("", "\x01", "<", ">")

Found = dict[str, "re.Pattern[Any]"]


def patterns() -> Found:
    """All compiled patterns of the package by where they stand."""
    found: Found = {}
    for module in sources():
        for name, value in vars(importlib.import_module(module)).items():
            _collect(f"{module}.{name}", value, found)
    return found


def sources() -> dict[str, Path]:
    """The modules that compile patterns, and their files.

    Without those of a package that needs another one, which is not installed.
    """
    found = {}
    for info in pkgutil.walk_packages(scrapy_webtext.__path__, "scrapy_webtext."):
        spec = importlib.util.find_spec(info.name)
        assert spec is not None
        assert spec.origin is not None
        path = Path(spec.origin)
        if path.suffix != ".py":  # a compiled twin: the pattern is the Python module's
            continue
        # Others may need packages that are not installed.
        if "re.compile(" in path.read_text(encoding="utf-8"):
            found[info.name] = path
    return found


def _collect(name: str, value: object, found: Found) -> None:
    if isinstance(value, re.Pattern):
        found[name] = value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            if isinstance(one, re.Pattern | Mapping | tuple | list):
                _collect(f"{name}[{key!r}]", one, found)
    elif isinstance(value, tuple | list | Set):
        for number, one in enumerate(value):
            if isinstance(one, re.Pattern):
                _collect(f"{name}[{number}]", one, found)


def slow_input(pattern: "re.Pattern[Any]") -> str | None:
    """An input for which a pattern takes far too long, described; None if there is none."""
    source = pattern.pattern
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    pumps = dict.fromkeys(_pumps(parser.parse(text, pattern.flags & re.VERBOSE), ""))
    for size in SIZES:
        for before, unit in pumps:
            for end in ENDS:
                for html in (before + unit * size, unit * size, (before + unit) * size):
                    if all(seconds(pattern, html + end) > TOO_LONG for _ in range(3)):
                        return f"{before!r} and {unit!r} {size} times, then {end!r}"
    return None


def seconds(pattern: "re.Pattern[Any]", html: str) -> float:
    """CPU time that all matches of a pattern take."""
    text: Any = html
    if isinstance(pattern.pattern, bytes):
        text = html.encode("latin-1", "ignore")
    began = time.thread_time()
    for _ in pattern.finditer(text):
        pass
    return time.thread_time() - began


def _pumps(items: Any, before: str) -> Iterator[tuple[str, str]]:
    """What may be repeated, each with what comes before it."""
    for op, value in items:
        if op in (constants.MAX_REPEAT, constants.MIN_REPEAT) or str(op) == "POSSESSIVE_REPEAT":
            _, high, inner = value
            if high >= MANY:
                for unit in _samples(inner):
                    yield before, unit
            yield from _pumps(inner, before)
        elif op is constants.BRANCH:
            for branch in value[1]:
                yield from _pumps(branch, before)
        elif op is constants.SUBPATTERN:
            yield from _pumps(value[-1], before)
        elif op in (constants.ASSERT, constants.ASSERT_NOT):
            yield from _pumps(value[1], before)
        before += next(iter(_samples([(op, value)])), "")


def _samples(items: Any) -> list[str]:
    """Some texts that a part of a pattern fits, of which no two begin alike."""
    found = [""]
    for op, value in items:
        ways = _ways(op, value)
        # Only the first part is tried in all ways: enough to reach what repeats.
        found = [one + way for one in found for way in (ways if found == [""] else ways[:1])]
    return [one for one in found if one]


def _ways(op: Any, value: Any) -> list[str]:
    if op in ONE_CHARACTER:
        item = parser.SubPattern(parser.State(), [(op, value)])
        one = compiler.compile(item, re.UNICODE)
        return [c for c in ALPHABET if one.fullmatch(c)] or [_first_of(op, value)]
    if op is constants.BRANCH:
        return [way for branch in value[1] for way in _samples(branch)[:1]] or [""]
    if op is constants.SUBPATTERN:
        return _samples(value[-1]) or [""]
    if op in (constants.MAX_REPEAT, constants.MIN_REPEAT):
        low, _, inner = value
        return [(_samples(inner) or [""])[0] * low]
    return [""]


def _first_of(op: Any, value: Any) -> str:
    """Return the first character of a literal or a class."""
    while op is constants.IN:
        op, value = value[0]
    return chr(value[0] if op is constants.RANGE else value)
