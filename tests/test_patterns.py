"""No regular expression takes more than linear time on any input.

A pattern holds the interpreter's lock until it is done: no timeout helps, and the crawl stops. It
takes more than linear time if a part that repeats can end in several ways, or begins anew at every
place of the input. So each part that repeats is repeated thousands of times: after the text before
it, without that text, and together with it, each with an end that does not match.
"""

import ast
import importlib
import re
import sys
import time
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest

import scrapy_webtext
from scrapy_webtext.errors import MissingExtraError

if sys.version_info >= (3, 11):
    from re import _compiler as compiler
    from re import _constants as constants
    from re import _parser as parser
else:
    import sre_compile as compiler
    import sre_constants as constants
    import sre_parse as parser

ROOT: Final = Path(scrapy_webtext.__file__).parent
SOURCES: Final = sorted(ROOT.rglob("*.py"))
#: Patterns of short texts: an address that a user types, and the MAX_CHARS that can be a date.
SHORT: Final = ("scrapy_webtext.fetching._HOST", "scrapy_webtext.fetching._ADDRESS",
                "scrapy_webtext.metadata.dates._FORMS")  # fmt: skip
#: The module that compiles patterns of a command's options.
OPTIONS: Final = ROOT / "command.py"

#: Examples of characters of a class.
ALPHABET: Final = " a\tA\n0\"'<>=/.,-_:;[](){}&!?%@漢。\x01\u00e9"
ONE_CHARACTER: Final = (constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN)
REPEATS: Final = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
#: Fewer repetitions cost little.
MANY: Final = 50
SIZES: Final = (22, 1_000, 8_000)
#: CPU seconds from which the growth of the time is measured.
SUSPICIOUS: Final = 0.005
#: Four times the input takes four times as long with a linear pattern, 16 times with a quadratic.
GROWTH: Final = 8
ENDS: Final = ("", "\x01", "<", ">")

Pattern = re.Pattern[Any]


def patterns() -> dict[str, Pattern]:
    """Return the compiled patterns of the package by module, name and place in a container."""
    found: dict[str, Pattern] = {}
    for path in SOURCES:
        if "re.compile(" in path.read_text("utf-8"):
            module = ".".join(("scrapy_webtext", *path.relative_to(ROOT).with_suffix("").parts))
            with suppress(MissingExtraError):
                for name, value in vars(importlib.import_module(module)).items():
                    if not name.startswith("__"):
                        found.update(patterns_in(value, f"{module}.{name}"))
    return found


def patterns_in(value: Any, name: str) -> Iterator[tuple[str, Pattern]]:
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, Mapping | tuple | list | Set):
        for key, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            if isinstance(inner, re.Pattern | Mapping | tuple | list):
                yield from patterns_in(inner, f"{name}[{key!r}]")


def slow_input(pattern: Pattern) -> str | None:
    """Return the description of an input that takes far too long; None if none is found."""
    source = pattern.pattern
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    repeated = dict.fromkeys(repeated_parts(parser.parse(text, pattern.flags & re.VERBOSE), ""))
    for size in SIZES:
        for before, unit in repeated:
            for end in ENDS:
                for start, again in ((before, unit), ("", unit), ("", before + unit)):
                    if seconds(pattern, start + again * size + end) > SUSPICIOUS:
                        few, many = (
                            min(seconds(pattern, start + again * n + end) for _ in range(3))
                            for n in (size // 4, size)
                        )
                        if many > GROWTH * few:
                            return f"{start!r} and {again!r} {size} times, then {end!r}"
    return None


def seconds(pattern: Pattern, html: str) -> float:
    """Return the CPU time of all matches."""
    text: Any = html
    if isinstance(pattern.pattern, bytes):
        text = html.encode("latin-1", "ignore")
    began = time.thread_time()
    for _ in pattern.finditer(text):
        pass
    return time.thread_time() - began


def repeated_parts(items: Any, before: str) -> Iterator[tuple[str, str]]:
    """Yield texts of the parts that can repeat, each with a text that matches what precedes."""
    for op, value in items:
        if str(op) in REPEATS:
            _, high, inner = value
            if high >= MANY:
                for unit in samples(inner):
                    yield before, unit
            yield from repeated_parts(inner, before)
        elif op is constants.BRANCH:
            for branch in value[1]:
                yield from repeated_parts(branch, before)
        elif op is constants.SUBPATTERN:
            yield from repeated_parts(value[-1], before)
        elif op in (constants.ASSERT, constants.ASSERT_NOT):
            yield from repeated_parts(value[1], before)
        before += next(iter(samples([(op, value)])), "")


def samples(items: Any) -> list[str]:
    """Return some texts that match a part of a pattern; no two begin alike."""
    found = [""]
    for op, value in items:
        ways = samples_of(op, value)
        # Only the first part is tried in all ways: that is enough to reach each part that repeats.
        found = [text + way for text in found for way in (ways if found == [""] else ways[:1])]
    return [text for text in found if text]


def samples_of(op: Any, value: Any) -> list[str]:
    if op in ONE_CHARACTER:
        item = parser.SubPattern(parser.State(), [(op, value)])
        matches = compiler.compile(item, re.UNICODE).fullmatch
        while op is constants.IN:  # the first character of a class
            op, value = value[0]
        first = value[0] if op is constants.RANGE else value
        return list(filter(matches, ALPHABET)) or [chr(first)]
    if op is constants.BRANCH:
        return [way for branch in value[1] for way in samples(branch)[:1]] or [""]
    if op is constants.SUBPATTERN:
        return samples(value[-1]) or [""]
    if str(op) in REPEATS:
        low, _, inner = value
        return [(samples(inner) or [""])[0] * low]
    return [""]


FOUND = {name: pattern for name, pattern in patterns().items() if not name.startswith(SHORT)}


@pytest.mark.parametrize("name", sorted(FOUND))
def test_no_input_makes_a_pattern_slow(name: str) -> None:
    assert slow_input(FOUND[name]) is None


def test_patterns_are_compiled_when_their_module_is_imported() -> None:
    wrong = []
    for path in SOURCES:
        tree = ast.parse(path.read_text("utf-8"))
        functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.Lambda)]
        inside = {id(node) for function in functions for node in ast.walk(function)}
        for node in ast.walk(tree):
            match node:
                case ast.ImportFrom(module="re"):
                    wrong.append(f"{path}:{node.lineno}")
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name)):
                    is_late = name == "compile" and id(node) in inside and path != OPTIONS
                    if is_late or name not in ("compile", "escape"):
                        wrong.append(f"{path}:{node.lineno}")
    assert wrong == []
    assert len(FOUND) > 150
