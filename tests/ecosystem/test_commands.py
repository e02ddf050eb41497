"""Scrapy's own commands, its HTTP cache and its jobs; near-duplicates are dropped."""

import re
from collections.abc import Callable
from typing import Any

from tests.crawls.site import SENTENCE
from tests.ecosystem.recipes import Recipe


def read(project: Recipe, name: str) -> dict[str, Any]:
    items = project.items(name)
    by_path = {item["url"].rpartition("/")[2]: item for item in items}
    assert len(by_path) == len(items)
    return by_path


def test_the_recipe_does_what_the_page_says(recipe: Callable[[str], Recipe]) -> None:
    project = recipe("Scrapy's own commands")
    log = project.follow()
    # check: the contracts hold
    assert re.search(r"Ran 2 contracts in [\d.]+s\n\nOK", log), log
    # bench: its own pages were judged
    judged = [int(found) for found in re.findall(r"webtext: (\d+) pages judged", log)]
    assert judged[0] > 0
    # shell
    assert f"({SENTENCE[:31]!r}, ['webtext:article'])" in log
    # parse: its items went through the pipeline
    assert f"'main_text': {SENTENCE[:31]!r}"[:-1] in log
    # HTTP cache: the second run downloads nothing and judges by its own threshold
    assert "'httpcache/hit': 7" in log  # with robots.txt
    cached, strict = read(project, "cached.jsonl"), read(project, "strict.jsonl")
    assert set(cached) == set(strict) == {"article", "list", "untyped", "latin-1", "after-html"}
    assert cached["article"]["flags"] == ["webtext:article"]
    assert strict["article"]["flags"] == ["cached", "webtext:not-article"]
    assert strict["article"]["main_text"] == cached["article"]["main_text"]
    # JOBDIR: the second run has the pages that the first left
    first, second = read(project, "first.jsonl"), read(project, "second.jsonl")
    assert set(first) | set(second) == set(cached)
    assert not set(first) & set(second)
    assert first
    assert second
    for path, item in {**first, **second}.items():
        assert item["main_text"] == cached[path]["main_text"]


def test_the_recipe_keeps_one_item_per_story(recipe: Callable[..., Recipe]) -> None:
    followed = recipe("Near-duplicates", {"/article-to-print": "/untyped"})
    log = followed.follow()
    (story,) = followed.items("stories.jsonl")
    assert len(story["fingerprint"]) == 16
    assert "'item_dropped_reasons_count/DropItem': 1" in log
