"""Spidermon: monitors that fail when a crawl finds too few articles or too little text."""

from collections.abc import Callable

from tests.ecosystem.recipes import Recipe


def test_the_recipe_warns_as_the_page_says(recipe: Callable[[str], Recipe]) -> None:
    log = recipe("Spidermon").follow(tracebacks=1)  # of the assertion that failed
    assert "Share of articles... FAIL" in log
    assert "Share of texts... OK" in log
