"""Writing results into items of every kind."""

from dataclasses import dataclass
from typing import Any

import attrs
import pydantic
import pytest
import scrapy
from itemadapter import ItemAdapter

from scrapy_webtext import WebTextFields, WebTextItem, WebTextResult, fill
from scrapy_webtext.crawling.item_fields import read, write
from tests.crawls.items import KINDS

RESULT = WebTextResult("the text", True, 0.9, 0.8, "pvalue")
PATHS = {"main_text": "body", "main_text_score": "metadata.score", "p_value": "metadata.p_value"}
VALUES = {"main_text": "the text", "has_article": True, "p_value": 0.9, "main_text_score": 0.8}


@attrs.frozen
class FrozenAttrs:
    key: str
    main_text: str | None = None


class FrozenPydantic(pydantic.BaseModel, frozen=True):
    key: str
    main_text: str | None = None


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_item_is_filled(kind: str) -> None:
    item = KINDS[kind](key="k")
    filled = fill(item, RESULT)
    assert type(filled) is type(item)
    assert ItemAdapter(filled).asdict() == {"key": "k", **VALUES}


@pytest.mark.parametrize("kind", [FrozenAttrs, FrozenPydantic, KINDS["frozen"]])
def test_frozen_items_are_copied(kind: Any) -> None:
    item = kind(key="k")
    filled = fill(item, RESULT)
    assert filled is not item
    assert item.main_text is None
    assert filled.main_text == "the text"
    assert filled.key == "k"


def test_what_an_item_does_not_declare_is_named() -> None:
    class Narrow(scrapy.Item):
        main_text = scrapy.Field()

    item, missing = write(Narrow(), VALUES)
    assert dict(item) == {"main_text": "the text"}
    assert missing == ["has_article", "p_value", "main_text_score"]


def test_the_item_and_the_mixin_declare_the_default_fields() -> None:
    @dataclass
    class Story(WebTextFields):
        url: str

    assert set(VALUES) <= set(WebTextItem.fields)
    assert set(VALUES) <= set(ItemAdapter(Story(url="u")).field_names())
    assert Story(url="u").main_text is None


def test_fields_may_be_mapped() -> None:
    assert fill({}, RESULT, fields={"main_text": "body"}) == {"body": "the text"}


@dataclass
class Metadata:
    score: float | None = None
    p_value: float | None = None


@dataclass(frozen=True)
class FrozenMetadata:
    score: float | None = None
    p_value: float | None = None


class PydanticMetadata(pydantic.BaseModel):
    score: float | None = None
    p_value: float | None = None


@dataclass
class Nested:
    body: str = ""
    metadata: Metadata | None = None


@dataclass(frozen=True)
class FrozenNested:
    body: str = ""
    metadata: FrozenMetadata | None = None


@attrs.define
class AttrsNested:
    body: str = ""
    metadata: Metadata | None = None


class PydanticNested(pydantic.BaseModel):
    body: str = ""
    metadata: PydanticMetadata | None = None


class ScrapyNested(scrapy.Item):
    body = scrapy.Field()
    metadata = scrapy.Field()


@pytest.mark.parametrize(
    "kind", [dict, Nested, FrozenNested, AttrsNested, PydanticNested, ScrapyNested]
)
def test_a_path_leads_into_the_item_that_a_field_holds_and_makes_it_at_need(kind: Any) -> None:
    filled = fill(kind(), RESULT, fields=PATHS)
    expected = {"body": "the text", "metadata": {"score": 0.8, "p_value": 0.9}}
    assert ItemAdapter(filled).asdict() == expected


def test_what_a_nested_item_already_holds_is_kept() -> None:
    filled = fill(
        Nested(metadata=Metadata(p_value=0.1)), RESULT, {"main_text_score": "metadata.score"}
    )
    assert filled.metadata == Metadata(score=0.8, p_value=0.1)


@dataclass
class Demanding:
    value: int


@dataclass
class Odd:
    either: Metadata | FrozenMetadata | None = None
    demanding: Demanding | None = None
    number: int = 3
    nested: Metadata | None = None


def test_paths_that_lead_nowhere_are_named() -> None:
    paths = ["either.score", "demanding.value", "number.score", "nested.nope", "nope.score"]
    item, missing = write(Odd(), dict.fromkeys(paths, 1))
    assert missing == paths
    assert item == Odd()


def test_a_value_is_read_back_by_its_path() -> None:
    assert read({"a": {"b": 1}}, "a.b") == 1
    assert read({"a": 1}, "a.b") is None
    assert read({}, "a.b") is None
