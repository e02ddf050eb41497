"""The recipe that drops items whose text is nearly that of an earlier one."""

from collections.abc import Callable

from tests.ecosystem.recipes import Recipe


def test_the_recipe_keeps_one_item_per_story(recipe: Callable[..., Recipe]) -> None:
    followed = recipe("Near-duplicates", {"/article-to-print": "/untyped"})
    log = followed.follow()
    (story,) = followed.items("stories.jsonl")
    assert len(story["fingerprint"]) == 16
    assert "'item_dropped_reasons_count/DropItem': 1" in log
