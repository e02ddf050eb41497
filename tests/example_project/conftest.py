"""Crawls of the example project that several tests of a module use."""

import pytest

from tests.example_project.example import Crawl, Crawls


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> Crawls:
    return Crawls(tmp_path_factory.mktemp("crawls"))


@pytest.fixture(scope="module")
def news(crawls: Crawls) -> Crawl:
    return crawls.of("news")
