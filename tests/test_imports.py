"""The one rule of the layout: files that import Scrapy lie at the package root."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import scrapy_webtext

ROOT = Path(scrapy_webtext.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

#: Lower layers know nothing of higher ones; modules of one layer may know each other.
LAYERS = [
    {"errors", "faults"},
    {"worker"},
    {"page"},
    {"readings", "results"},
    {"models"},
    {"extractors"},
    {"judge"},
    {"registry"},
    {"extraction"},
    {"corpus"},
    {"train", "evaluate", "report"},
    {"cli"},
    {"archive"},
]


def imports(path: Path) -> Iterator[str]:
    """Names of the modules that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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
def test_no_subpackage_imports_scrapy(path: Path) -> None:
    if len(parts(path)) > 1:
        found = {name.split(".")[0] for name in imports(path)}
        assert not found & {"scrapy", "twisted", "itemadapter"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: "/".join(parts(p)))
def test_only_page_touches_lxml(path: Path) -> None:
    if parts(path)[0] != "page":
        assert not {name.split(".")[0] for name in imports(path)} & {"lxml", "parsel"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: "/".join(parts(p)))
def test_imports_point_downwards(path: Path) -> None:
    own = layer(parts(path)[0])
    if own is None:  # the glue may import everything
        return
    for name in imports(path):
        package, _, rest = name.partition(".")
        if package != "scrapy_webtext" or not rest:
            continue
        other = layer(rest.split(".")[0])
        if other is None:
            # Glue, unless it is a name of the package itself such as __version__. The face
            # alone hands responses on to it, on use.
            is_glue = (ROOT / f"{rest.split('.')[0]}.py").exists()
            assert not is_glue or parts(path) == ("extraction",), f"{path} imports {name}"
        else:
            assert other <= own, f"{path} imports {name}"


def test_extractors_are_blind_to_each_other() -> None:
    families = ("pvalue", "bte", "ttr", "naive_bayes", "wffte", "fusion")

    def family(name: str) -> str | None:
        return next((f for f in families if name.startswith(f)), None)

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
