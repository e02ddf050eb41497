"""The file of the small model."""

from pathlib import Path

import pytest

from tests.extractors.naive_bayes.toy import toy_model, write


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return write(tmp_path / "toy.json", toy_model())
