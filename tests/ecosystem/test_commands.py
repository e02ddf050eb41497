"""Scrapy's own commands, its HTTP cache and its jobs, in a project with the add-on."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.crawls.site import SENTENCE
from tests.ecosystem.recipes import Recipe


@pytest.fixture
def followed(recipe: Callable[[str], Recipe]) -> tuple[Recipe, str]:
    project = recipe("Scrapy's own commands")
    return project, project.follow()


def read(recipe: Recipe, name: str) -> dict[str, Any]:
    lines = (recipe.folder / name).read_text().splitlines()
    items = [json.loads(line) for line in lines]
    by_path = {item["url"].rpartition("/")[2]: item for item in items}
    assert len(by_path) == len(items)
    return by_path


def test_the_recipe_does_what_the_page_says(followed: tuple[Recipe, str]) -> None:
    recipe, log = followed
    # check: the contracts hold
    assert re.search(r"Ran 2 contracts in [\d.]+s\n\nOK", log), log
    # bench: its own pages were judged
    judged = [int(found) for found in re.findall(r"webtext: (\d+) pages judged", log)]
    assert judged[0] > 0
    # shell
    assert f"({SENTENCE[:31]!r}, ['webtext:article'])" in log
    # parse: its items went through the pipeline
    assert f"'main_text': {SENTENCE[:31]!r}"[:-1] in log
    # HTTP cache: the second run asks nobody and judges by its own threshold
    assert "'httpcache/hit': 7" in log  # with robots.txt
    cached, strict = read(recipe, "cached.jsonl"), read(recipe, "strict.jsonl")
    assert set(cached) == set(strict) == {"article", "list", "untyped", "latin-1", "after-html"}
    assert cached["article"]["flags"] == ["webtext:article"]
    assert strict["article"]["flags"] == ["cached", "webtext:not-article"]
    assert strict["article"]["main_text"] == cached["article"]["main_text"]
    # JOBDIR: what one run did not do the next one does
    first, second = read(recipe, "first.jsonl"), read(recipe, "second.jsonl")
    assert set(first) | set(second) == set(cached)
    assert not set(first) & set(second)
    assert first
    assert second
    for path, item in {**first, **second}.items():
        assert item["main_text"] == cached[path]["main_text"]
