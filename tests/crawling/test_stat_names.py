"""What the code counts is what `STATS`, and so the table in the docs, describes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import scrapy_webtext
from scrapy_webtext.crawling.stats import OUTCOMES, PREFIX, STATS

PACKAGE = Path(scrapy_webtext.__file__).parent
#: Methods that count, or set, the stat they are given -> what they put before its name.
COUNTING = {"count": "", "inc_value": "", "_count": "responses/", "spent": "seconds/"}


def sources() -> Iterator[ast.Module]:
    for folder in (PACKAGE, PACKAGE / "crawling", PACKAGE / "integrations", PACKAGE / "cli"):
        for path in folder.glob("*.py"):
            if path.name != "stats.py":
                yield ast.parse(path.read_text("utf-8"))


def strings(tree: ast.AST) -> list[str]:
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def counted() -> set[str]:
    """The names, or what they begin with, in calls that count."""
    found = set()
    for tree in sources():
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                before = COUNTING.get(call.func.attr)
                names = [text for arg in call.args for text in strings(arg)]
                if before is not None:
                    found |= {before + name.removeprefix(PREFIX) for name in names}
    return {name for name in found if "/" in name}


def test_every_stat_that_the_code_counts_is_described() -> None:
    names = counted()
    assert {"responses/article", "items/seen", "crawl/not_reached", "seconds/judging"} < names
    assert not [name for name in names if not name.endswith("/") and name not in STATS]
    groups = {name for name in names if name.endswith("/")}
    assert groups == {"responses/", "responses/skipped/", "items/", "crawl/"}
    assert {f"items/{outcome}" for outcome in OUTCOMES} < set(STATS)


def test_every_reason_to_leave_a_page_alone_is_described() -> None:
    tree = ast.parse((PACKAGE / "crawling" / "responses.py").read_text("utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    reasons = {
        text
        for function in functions
        if function.name in ("skip_reason", "no_page_reason")
        for node in ast.walk(function)
        if isinstance(node, ast.Return)
        for text in strings(node)
    }
    assert {"head", "status", "too_large"} < reasons
    described = STATS["responses/skipped/<reason>"]
    assert not [reason for reason in reasons if f"`{reason}`" not in described]


def test_every_stat_that_is_described_is_named_in_the_code() -> None:
    named = {text.rpartition("/")[2] for tree in sources() for text in strings(tree)}
    assert not [name for name in STATS if "<" not in name and name.rpartition("/")[2] not in named]
