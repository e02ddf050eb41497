"""What tests of ``extract`` share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawls.site import Site

STORY = "The harbour was quiet that morning, and nobody saw the boat leave."


PAGE = f"<title>Bøat</title><body><nav><a href='/'>Home</a></nav><article><p>{STORY}</p></article>"


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with Site() as base:
        yield base


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path
