from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.crawls.site import Site
from tests.ecosystem.recipes import Recipe


@pytest.fixture
def recipe(tmp_path: Path) -> Iterator[Callable[[str], Recipe]]:
    """The project of a section of the docs, by its heading, on the running test site."""
    with Site() as base:
        yield lambda heading: Recipe(heading, tmp_path, base)
