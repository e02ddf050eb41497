"""What is remembered beyond a page is bounded, and right whether it is remembered or not."""

from scrapy_webtext.extractors.fusion.features.class_names import cached


def test_a_string_is_computed_once_until_the_memory_is_full() -> None:
    asked = []

    @cached(3)
    def length(string: str) -> int:
        asked.append(string)
        return len(string)

    assert [length(s) for s in ("a", "bb", "a", "ccc", "a", "bb")] == [1, 2, 1, 3, 1, 2]
    assert asked == ["a", "bb", "ccc"]
    assert [length(s) for s in ("dddd", "dddd", "a")] == [4, 4, 1]
    assert asked == ["a", "bb", "ccc", "dddd", "a"]
