"""Imports point one way: who may import Scrapy and lxml, and which room may import which."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import scrapy_webtext
from scrapy_webtext.registry import EXTRACTORS
from tests.kits.processes import python

ROOT = Path(scrapy_webtext.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

#: Rooms, and modules at the root, from the lowest: none imports from a higher layer. Rooms of one
#: layer may import each other, one way.
LAYERS = (
    {"errors", "log_text", "core"},
    {"page", "render", "models"},
    {"results", "metadata", "extractors"},
    {"registry", "extraction", "settings"},
    {"lab", "cli", "archive"},
    {"crawling"},
    {"items", "downloadermiddleware", "spidermiddleware", "pipeline", "api", "integrations"},
    {"addon", "command", "__init__"},
)
LAYER = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}

#: Folders that may import Scrapy, as may the modules at the root.
WITH_SCRAPY = {"crawling", "integrations"}


def imports(path: Path, *, with_types: bool = True) -> Iterator[str]:
    """Names of the modules that a file imports, wherever in the file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if not with_types:
        tree.body = [node for node in tree.body if "TYPE_CHECKING" not in ast.unparse(node)[:20]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parts(path: Path) -> tuple[str, ...]:
    return path.relative_to(ROOT).with_suffix("").parts


def rooms_of(path: Path) -> set[str]:
    """The other rooms that a file imports."""
    ours = (name.split(".")[1] for name in imports(path) if name.startswith("scrapy_webtext."))
    return {room for room in ours if room in LAYER} - {parts(path)[0]}


def test_every_room_has_its_layer_and_imports_no_higher_one() -> None:
    assert len(LAYERS) <= 8
    assert {parts(path)[0] for path in MODULES} <= set(LAYER)
    higher = [
        f"{'/'.join(parts(path))} imports {room}"
        for path in MODULES
        for room in rooms_of(path)
        if LAYER[room] > LAYER[parts(path)[0]]
    ]
    assert not higher


def test_rooms_and_modules_import_each_other_one_way() -> None:
    rooms: dict[str, set[str]] = {}
    for path in MODULES:
        rooms.setdefault(parts(path)[0], set()).update(rooms_of(path))
    TopologicalSorter(rooms).prepare()  # CycleError names the rooms
    known = {".".join(("scrapy_webtext", *parts(path))): path for path in MODULES}
    modules = {
        name.removesuffix(".__init__"): {
            found
            for found in imports(path, with_types=False)
            if (found in known or f"{found}.__init__" in known)
            and not f"{name}.".startswith(f"{found}.")
        }
        for name, path in known.items()
    }
    TopologicalSorter(modules).prepare()


def test_scrapy_and_lxml_are_imported_where_they_may_be() -> None:
    found = []
    for path in MODULES:
        outside = {name.split(".")[0] for name in imports(path)}
        room, is_root = parts(path)[0], len(parts(path)) == 1
        if not is_root and room not in WITH_SCRAPY and outside & {"scrapy", "twisted"}:
            found.append(f"{'/'.join(parts(path))} imports Scrapy")
        if room != "page" and outside & {"lxml", "parsel"}:
            found.append(f"{'/'.join(parts(path))} imports lxml")
    assert not found


def test_extractors_of_papers_do_not_know_each_other() -> None:
    families = {target.split(".")[2] for target in EXTRACTORS.values()}
    others = [
        f"{'/'.join(parts(path))} imports {name}"
        for path in MODULES
        if parts(path)[0] == "extractors" and parts(path)[1] in families - {"fusion"}
        for name in imports(path)
        if name.startswith("scrapy_webtext.extractors.")
        if name.split(".")[2] in families - {parts(path)[1]}
    ]
    assert not others


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
