"""Each feature that a report may name has a sentence with the meaning of its value."""

import re

import pytest

from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.context import CONTEXT_FEATURES
from scrapy_webtext.extractors.fusion.features.page_features import STRUCTURE_FEATURES
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.naive_bayes import Levels
from scrapy_webtext.lab.sentences import SENTENCES, sentence

MODEL = load_fusion(None)
FEATURES = sorted(
    {*BLOCK_FEATURES, *CONTEXT_FEATURES, *STRUCTURE_FEATURES, *Levels._fields}
    | {*MODEL.first.features, *MODEL.second.features}
)
#: Values of features, with the extremes for none, far and no headline.
VALUES = (-1.0, 0.0, 0.004, 0.5, 1.0, 2.0, 7.0, 99.0, 999.0, 12_345.0)


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature_has_a_sentence_for_every_value(feature: str) -> None:
    assert feature in SENTENCES
    for value in VALUES:
        said = sentence(feature, value)
        assert "_" not in said
        assert "{" not in said
        assert re.match(r"[-a-z0-9<]", said)
        assert not said.endswith(".")
        assert len(said) < 110


def test_every_sentence_belongs_to_a_feature() -> None:
    # Statistics of containers are written for all three levels, of which features have some.
    levels = {f"{name[:-1]}{level}" for name in FEATURES for level in "123" if name[-2:-1] == "_"}
    assert set(SENTENCES) <= set(FEATURES) | levels


@pytest.mark.parametrize(
    ("feature", "value", "said"),
    [
        ("most_steps", 0, "it is in the element that holds most of the page's prose"),
        ("repeated_items", 12, "its list repeats 12 times"),
        ("repeated_items", 0, "it is in no list of like items"),
        ("link_density", 0.8, "80 % of it are links"),
        ("link_density", 0, "none of it are links"),
        ("items_prose", 1, "the items of its list hold all of the page's prose"),
        ("link_density", 0.001, "less than 1 % of it are links"),
        ("link_density", 0.999, "more than 99 % of it are links"),
        ("tag_class", 18, "it is a heading of level 1"),
        ("tag_class", 13, "it is a heading of level 6"),
        ("next_tag_class", 1, "the next block is a paragraph"),
        ("from_headline", 999, "the page has no headline"),
        ("from_headline", 1, "it is 1 block after the headline"),
        ("half_steps", 2, "it is outside of the element that holds half of the page's prose, "
         "2 steps up from there"),
        ("class_score_own", -1.26, "the class names of its own element score \N{MINUS SIGN}1.3"),
        ("class_score_own", 0.0, "the class names of its own element score 0"),
        ("first_score", 0.0, "the first pass gave it 0.50"),
        ("until_likely", 1, "likely text is right after it"),
        ("chars", 1234, "it has 1,234 characters"),
        ("one_of_my_own", 0.25, "one of my own 0.25"),
    ],
)  # fmt: skip
def test_a_sentence_says_what_the_value_means(feature: str, value: float, said: str) -> None:
    assert sentence(feature, value) == said
