"""Results are equal to the last bit, compiled or interpreted."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import scrapy_webtext
from tests.benchmarks.pages import CORPORA

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as it is installed on a machine without a C compiler."""
    folder = tmp_path_factory.mktemp("interpreted")
    package = Path(scrapy_webtext.__file__).parent
    without = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(package, folder / package.name, ignore=without)
    return folder


def outcomes(arguments: list[str], package: Path) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.outcomes", *arguments],
        cwd=package,
        env={**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{REPOSITORY}"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    assert found
    return found


#: Pages that are compared. All that are made for tests are compared with the checked build.
PAGES = {"made for tests": ["--soups", "60", "--made-every", "3"]}
SAMPLED = [CORPORA / f"{name}.jsonl.gz" for name in ("wcxb_dev", "newspaper4k", "zh_dev", "older")]
if all(map(Path.is_file, SAMPLED)):
    PAGES["corpora"] = [*map(str, SAMPLED), "--every", "200", "--corpora-only"]


@pytest.mark.parametrize("arguments", PAGES.values(), ids=PAGES)
def test_compiled_and_interpreted_are_equal(arguments: list[str], interpreted: Path) -> None:
    ours = outcomes(arguments, Path(scrapy_webtext.__file__).parents[1])
    pure = outcomes(arguments, interpreted)
    assert [name for name in pure if ours[name] != pure[name]] == []
