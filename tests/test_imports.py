"""Imports point one way. Only some folders import Scrapy and lxml."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import scrapy_webtext
from tests.kits.processes import python

ROOT = Path(scrapy_webtext.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

#: Folders, and modules at the root, from the lowest layer: none imports from a higher one. Folders
#: of one layer may import each other, one way.
LAYERS = (
    {"errors", "core", "files"},
    {"page", "render", "models"},
    {"results", "metadata", "extractors", "chunks", "arrow"},
    {"registry", "reader", "settings"},
    {"crawling"},
    {"downloadermiddleware", "spidermiddleware", "pipeline", "api", "integrations"},
    {"addon", "fetching", "sitecrawl", "archive", "lab", "command", "testing", "__init__"},
)
LAYER = {name: number for number, layer in enumerate(LAYERS) for name in layer}

#: Folders that may import Scrapy, as may the modules at the root.
WITH_SCRAPY = {"crawling", "integrations", "sitecrawl"}


def imports(path: Path) -> Iterator[str]:
    """Yield the names of the modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parts(path: Path) -> tuple[str, ...]:
    return path.relative_to(ROOT).with_suffix("").parts


def folders_of(path: Path) -> set[str]:
    """Return the other folders and root modules that a file imports."""
    ours = (name.split(".")[1] for name in imports(path) if name.startswith("scrapy_webtext."))
    return {name for name in ours if name in LAYER} - {parts(path)[0]}


def test_every_folder_has_its_layer_and_imports_no_higher_one() -> None:
    assert len(LAYERS) <= 8
    assert {parts(path)[0] for path in MODULES} <= set(LAYER)
    higher = [
        f"{'/'.join(parts(path))} imports {name}"
        for path in MODULES
        for name in folders_of(path)
        if LAYER[name] > LAYER[parts(path)[0]]
    ]
    assert higher == []


def test_the_package_does_not_import_the_training() -> None:
    assert not [path for path in MODULES for name in imports(path) if name.startswith("training")]


def test_folders_import_each_other_one_way() -> None:
    folders: dict[str, set[str]] = {}
    for path in MODULES:
        folders.setdefault(parts(path)[0], set()).update(folders_of(path))
    TopologicalSorter(folders).prepare()  # CycleError names the folders


def test_scrapy_and_lxml_are_imported_where_they_may_be() -> None:
    wrong = []
    for path in MODULES:
        outside = {name.split(".")[0] for name in imports(path)}
        folder, is_root = parts(path)[0], len(parts(path)) == 1
        if not is_root and folder not in WITH_SCRAPY and outside & {"scrapy", "twisted"}:
            wrong.append(f"{'/'.join(parts(path))} imports Scrapy")
        if folder not in {"page", "sitecrawl"} and outside & {"lxml", "parsel"}:
            wrong.append(f"{'/'.join(parts(path))} imports lxml")
    assert wrong == []


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import scrapy_webtext", ["scrapy", "lxml", "numpy"]),
        ("from scrapy_webtext import extract; extract('<p>x')", ["scrapy", "numpy", "twisted"]),
        (  # every scrapy command loads the entry point
            "import scrapy_webtext.command",
            ["scrapy_webtext.page", "scrapy_webtext.results", "scrapy_webtext.settings", "plotly"],
        ),
    ],
)
def test_imports_stay_light(code: str, unwanted: list[str]) -> None:
    check = f"{code}; import sys; print([m for m in {unwanted!r} if m in sys.modules])"
    assert python("-c", check).stdout.strip() == "[]"
