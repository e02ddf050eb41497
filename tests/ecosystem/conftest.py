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
    """The project of a section of the docs, by its heading, on the running test site.

    A second argument may change more names of the page than that of the site.
    """
    return lambda heading, changes=(): Recipe(
        heading, tmp_path, {"https://example.com": site, **dict(changes)}
    )
