import re
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.extractors.fusion.features.class_names import (
    bag_weights,
    class_name_scorer,
    names_with,
    tokens_of,
)

PARTS = "post POST Post aRTicle nav x X é ß ſ K 42 - _ : \ud800 \u3000 \x1c \x85 \xa0".split(" ")
TOKENS = "post article a-rticle nav-post post-post-post x xx rticle".split()
names = st.lists(st.sampled_from([*PARTS, " ", "-", "post-", "word" * 20]), max_size=30).map(
    "".join
)
numbers = st.dictionaries(st.sampled_from(TOKENS), st.sampled_from([-2.0, -0.5, 0.0, 0.25, 3.0]))


def tokens(name: str) -> tuple[str, ...]:
    """The definition: parts of a name in lower case, then the whole."""
    parts = [part.lower() for part in re.findall("[A-Z]?[a-z]+|[A-Z]+", name[:200])]
    return (*parts[:8], "-".join(parts)[:40]) if len(parts) > 1 else tuple(parts)


def known_tokens(elements: Iterable[str], known: Iterable[str]) -> list[str]:
    """Those of elements that are known, each once."""
    found = [token for one in elements for name in one.split()[:12] for token in tokens(name)]
    return [token for token in dict.fromkeys(found) if token in known]


@given(names)
def test_a_name_has_its_parts_and_the_whole_as_tokens(name: str) -> None:
    assert tokens_of(name) == tokens(name)


@given(numbers, numbers, st.lists(names, max_size=5))
def test_an_element_has_the_extreme_scores_and_the_weights_of_its_tokens(
    scores: dict[str, float], weights: dict[str, float], elements: list[str]
) -> None:
    score = class_name_scorer(scores, weights)
    for one in elements:
        found = [scores[token] for token in known_tokens([one], scores)]
        bag = {token: weights[token] for token in known_tokens([one], weights)}
        assert score(one) == (min([0.0, *found]), max([0.0, *found]), bag)
    assert bag_weights(score, elements) == [
        weights[token] for token in known_tokens(elements, weights)
    ]


def test_names_with_a_part_are_found_in_any_case() -> None:
    found = names_with(["Comment-list", "post\ncomments", "post"], ["comment", "disqus"])
    assert found == ["Comment-list", "post\ncomments"]
    assert names_with(["post"], ["comment"]) == []
