"""Results are equal to the last bit, compiled or interpreted."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import scrapy_webtext
from tests.benchmarks.pages import CORPORA

#: Corpora, used if they are present, and N: every Nth page is taken.
SAMPLED = [
    ("wcxb_dev.jsonl.gz", 120),
    ("newspaper4k.jsonl.gz", 60),
    ("zh_dev.jsonl.gz", 120),
    ("older.jsonl.gz", 120),
    ("annotated.jsonl.gz", 120),
]


REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as it is installed where there is no C compiler."""
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


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--soups", "150"], id="hostile, gallery and generated pages"),
        *(
            pytest.param([str(CORPORA / name), "--every", str(every), "--corpora-only"], id=name)
            for name, every in SAMPLED
            if (CORPORA / name).is_file()
        ),
    ],
)
def test_compiled_and_interpreted_are_equal(arguments: list[str], interpreted: Path) -> None:
    ours = outcomes(arguments, Path(scrapy_webtext.__file__).parents[1])
    pure = outcomes(arguments, interpreted)
    assert [name for name in pure if ours[name] != pure[name]] == []
