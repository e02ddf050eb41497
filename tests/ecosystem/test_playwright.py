"""scrapy-playwright: a page whose text is built by JavaScript, in Debian's chromium.

Needs ``apt-get install chromium`` and ``pip install scrapy-playwright``.
"""

from collections.abc import Callable

from tests.ecosystem.recipes import TEXT, Recipe


def test_the_text_has_what_scripts_wrote(recipe: Callable[[str], Recipe]) -> None:
    followed = recipe("scrapy-playwright")
    followed.follow()
    items = {item["playwright"]: item for item in followed.items("scripted.jsonl")}
    assert items[True]["main_text"] == TEXT
    assert items[True]["has_article"] is True
    assert items[False]["main_text"] == ""
    assert items[False]["has_article"] is False
