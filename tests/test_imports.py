"""The rule of the layout: Scrapy is imported at the package root, in crawling and integrations."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import scrapy_webtext
from scrapy_webtext.registry import EXTRACTORS

ROOT = Path(scrapy_webtext.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

#: Where Scrapy may be imported, beside the files at the package root.
WITH_SCRAPY = {"crawling", "integrations"}

#: Lower layers know nothing of higher ones; modules of one layer may know each other.
LAYERS = [
    {"errors", "log_text"},
    {"compiled"},
    {"page"},
    {"render"},
    {"results"},
    {"models"},
    {"metadata"},
    {"extractors"},
    {"registry", "defaults"},
    {"extraction", "setting_values"},
    {"lab"},
    {"cli"},
    {"archive"},
    {"settings"},
    {"crawling"},
    {"items"},
    {"downloadermiddleware", "spidermiddleware", "pipeline"},
    {"integrations"},
    {"addon", "command"},
]


def imports(path: Path, *, with_types: bool = True) -> Iterator[str]:
    """Names of the modules that a file imports, wherever in the file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if not with_types:
        tree.body = [node for node in tree.body if "TYPE_CHECKING" not in ast.unparse(node)[:20]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(name: str) -> int | None:
    return next((number for number, names in enumerate(LAYERS) if name in names), None)


def parts(path: Path) -> tuple[str, ...]:
    return path.relative_to(ROOT).with_suffix("").parts


@pytest.mark.parametrize("path", MODULES, ids=lambda p: "/".join(parts(p)))
def test_scrapy_is_imported_at_the_root_in_crawling_and_in_integrations(path: Path) -> None:
    if len(parts(path)) > 1 and parts(path)[0] not in WITH_SCRAPY:
        found = {name.split(".")[0] for name in imports(path)}
        assert not found & {"scrapy", "twisted", "itemadapter"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: "/".join(parts(p)))
def test_only_page_touches_lxml(path: Path) -> None:
    if parts(path)[0] != "page":
        assert not {name.split(".")[0] for name in imports(path)} & {"lxml", "parsel"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: "/".join(parts(p)))
def test_imports_point_downwards(path: Path) -> None:
    own = layer(parts(path)[0])
    if own is None:  # the face stands above everything
        assert parts(path) in [("api",), ("__init__",)], f"{path} is in no layer"
        return
    for name in imports(path):
        package, _, rest = name.partition(".")
        first = rest.split(".")[0]
        if (
            package == "scrapy_webtext"
            and first
            and ((ROOT / f"{first}.py").exists() or (ROOT / first / "__init__.py").exists())
        ):
            assert first in set().union(*LAYERS[: own + 1]), f"{path} imports {name}"


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = {".".join(("scrapy_webtext", *parts(path))): path for path in MODULES}
    graph = {
        name.removesuffix(".__init__"): {
            found
            for found in imports(path, with_types=False)
            if (found in known or f"{found}.__init__" in known)
            and not f"{name}.".startswith(f"{found}.")
        }
        for name, path in known.items()
    }
    order = TopologicalSorter(graph)
    order.prepare()  # CycleError names the modules


def test_extractors_are_blind_to_each_other() -> None:
    families = {target.split(".")[2] for target in EXTRACTORS.values()}
    assert "fusion" in families

    def family(name: str) -> str | None:
        return name if name in families else None

    for path in MODULES:
        where = parts(path)
        if where[0] != "extractors" or len(where) < 2 or family(where[1]) in (None, "fusion"):
            continue
        for name in imports(path):
            if name.startswith("scrapy_webtext.extractors."):
                other = family(name.split(".")[2])
                assert other in (None, family(where[1])), f"{path} imports {name}"


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
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
