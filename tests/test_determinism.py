"""Same page, same answer, to the last bit of every score."""

import os
import subprocess
import sys

import pytest

from scrapy_webtext.page import parse
from tests.kits import determinism


@pytest.fixture(scope="module")
def digest() -> str:
    return determinism.digest(determinism.pages())


@pytest.mark.parametrize("seed", ["0", "1", "4000000000"])
def test_another_process_with_another_hash_seed_answers_the_same(seed: str, digest: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.kits.determinism"],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split()[0] == digest


def test_the_digest_sees_a_single_bit_of_a_page() -> None:
    pages = ["<article><p>One day it rained.</p></article>", "<article><p>One day it reined.</p>"]
    assert len({determinism.digest_of(parse(page)) for page in pages}) == 2
