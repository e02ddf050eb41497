"""No regular expression takes more than linear time, whatever it reads.

A pattern holds the interpreter's lock until it is done: no timeout helps, and the crawl stands.
"""

import ast
import re
from pathlib import Path

import pytest

import scrapy_webtext
from tests.kits.patterns import patterns, slow_input, sources

#: Patterns that are only matched at the start of what a user types, not of what a page holds.
TYPED = {"scrapy_webtext.cli.sources._HOST", "scrapy_webtext.cli.sources._ADDRESS"}
FOUND = {name: pattern for name, pattern in patterns().items() if name not in TYPED}
SOURCES = sorted(Path(scrapy_webtext.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("name", sorted(FOUND))
def test_no_input_makes_a_pattern_slow(name: str) -> None:
    assert slow_input(FOUND[name]) is None


@pytest.mark.parametrize(
    "pattern",
    [
        r'"@type"\s*:\s*\[?\s*"(?:\w*Article)"',
        r"\s+$",
        r"(?:a+)+b",
        r"(?:\s|a)*?\s*x",
        r"<script.*?</script>",
        r"\w*Article",
        r"<!--(?:[^-]|-)*-->",
        r"([^<]*)<([a-z]+)\s*[^>]*\s*>",
        rb"\s*=\s*$",
    ],
)
def test_patterns_that_are_slow_are_found(pattern: str | bytes) -> None:
    assert slow_input(re.compile(pattern)) is not None


#: Modules that compile what the user of a command gives for addresses.
GIVEN = {("cli", "options.py")}


def test_all_patterns_are_compiled_where_they_are_found() -> None:
    compiled, found = 0, set(sources().values())
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.Lambda)
                  for n in ast.walk(f)}  # fmt: skip
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.module != "re", path
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr != "escape"
            ):
                assert node.func.attr == "compile", f"{path}:{node.lineno}"
                assert path.parts[-2:] in GIVEN or id(node) not in inside, f"{path}:{node.lineno}"
                compiled += path in found
    assert 30 < compiled <= len(patterns()) + len(TYPED)
