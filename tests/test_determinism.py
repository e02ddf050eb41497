"""The same page has the same result in each process, to the last bit of every score."""

import os

import pytest

from tests.kits.determinism import digest_of_all
from tests.kits.processes import python


@pytest.fixture(scope="module")
def expected() -> str:
    return digest_of_all()


@pytest.mark.parametrize("seed", ["0", "1", "4000000000"])
def test_another_hash_seed_in_another_process_has_the_same_results(
    seed: str, expected: str
) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    assert python("-m", "tests.kits.determinism", env=environment).stdout.strip() == expected
