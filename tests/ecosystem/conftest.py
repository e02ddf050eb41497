from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.crawls.site import Site
from tests.ecosystem.recipes import Recipe


@pytest.fixture
def site() -> Iterator[str]:
    with Site() as base:
        yield base


@pytest.fixture
def recipe(tmp_path: Path, site: str) -> Callable[..., Recipe]:
    """Return a function from the heading of a recipe to its project, on the test site.

    A second argument has further changes of the page.
    """
    return lambda heading, changes=(): Recipe(
        heading, tmp_path, {"https://example.com": site, **dict(changes)}
    )
