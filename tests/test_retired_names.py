"""Names that were replaced by the terms of docs/glossary.md do not come back."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import scrapy_webtext

ROOT = Path(scrapy_webtext.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

#: Replaced names of variables, functions, classes, attributes and parameters.
RETIRED = frozenset(
    "bystanders stretches wording hear heard told remembering bags alike PageReading Texts "
    "Elements Wording Heard Reread hear_kinds".split()
)
#: Replaced names of functions that may still name something else.
RETIRED_FUNCTIONS = frozenset({"unread"})
#: Replaced names of modules, and where: a module of another folder may have a use for one.
RENAMED_IN = frozenset({"extractors", "train", "page", "report"})
RETIRED_MODULES = frozenset(
    "reading places names wording bags judging remembering swollen heads events declared "
    "bystanders stretches".split()
)


def identifiers(tree: ast.AST) -> Iterator[str]:
    """Yield every identifier of a module, whether it is defined there or only used."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg | ast.keyword):
            yield node.arg or ""
        elif isinstance(node, ast.alias):
            yield from (node.name.rpartition(".")[2], node.asname or "")
        elif isinstance(node, ast.ExceptHandler):
            yield node.name or ""


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_identifier_has_a_retired_name(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not RETIRED & set(identifiers(tree))
    functions = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert not RETIRED_FUNCTIONS & functions


def test_no_module_has_a_retired_name() -> None:
    inside = [path.relative_to(ROOT).with_suffix("").parts for path in MODULES]
    found = {part for parts in inside if parts[0] in RENAMED_IN for part in parts}
    assert not RETIRED_MODULES & found
