"""Writing results into items of every kind."""

from dataclasses import dataclass
from typing import Any

import attrs
import pydantic
import pytest
import scrapy
from itemadapter import ItemAdapter

from scrapy_webtext import WebTextFields, WebTextItem, WebTextResult, fill
from scrapy_webtext.items import write
from tests.crawls.items import KINDS

RESULT = WebTextResult("the text", True, 0.9, 0.8, "pvalue")
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
