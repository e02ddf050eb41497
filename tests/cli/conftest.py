"""A site and a page for the subcommands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.extract_pages import PAGE
from tests.crawls.site import Site


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with Site() as base:
        yield base


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path
