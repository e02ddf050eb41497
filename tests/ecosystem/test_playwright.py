"""scrapy-playwright: a page whose text is built by JavaScript, in Debian's chromium.

Runs where both are: ``apt-get install chromium``, ``pip install 'scrapy-webtext[playwright]'``.
"""

import json
from collections.abc import Callable

from tests.crawls.site import SENTENCE
from tests.ecosystem.recipes import Recipe


def test_the_text_is_that_of_the_page_as_the_browser_left_it(
    recipe: Callable[[str], Recipe],
) -> None:
    followed = recipe("scrapy-playwright")
    followed.follow()
    lines = (followed.folder / "scripted.jsonl").read_text().splitlines()
    items = {item["playwright"]: item for item in map(json.loads, lines)}
    assert items[True]["main_text"] == (SENTENCE * 20).strip()
    assert items[True]["has_article"] is True
    assert items[False]["main_text"] == ""
    assert items[False]["has_article"] is False
