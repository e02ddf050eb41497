"""Compiled or in Python, every page gives the same, to the last bit."""

import os
import subprocess
import sys

import pytest

from tests.benchmarks.pages import CORPORA

#: Labelled pages, where they are there, and each how many of them are taken.
SAMPLED = [
    ("wcxb_dev.jsonl.gz", 120),
    ("newspaper4k.jsonl.gz", 60),
    ("zh_dev.jsonl.gz", 120),
    ("older.jsonl.gz", 120),
    ("annotated.jsonl.gz", 120),
]


def outcomes(arguments: list[str], *, compiled: bool) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.compiled.outcomes", *arguments],
        env={**os.environ, "WEBTEXT_PURE_PYTHON": "0" if compiled else "1"},
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
def test_both_give_the_same(arguments: list[str]) -> None:
    ours, pure = outcomes(arguments, compiled=True), outcomes(arguments, compiled=False)
    assert [name for name in pure if ours[name] != pure[name]] == []
