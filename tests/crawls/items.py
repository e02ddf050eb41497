"""Seven kinds of item, each with a key and the default fields."""

from dataclasses import dataclass
from typing import Any

import attrs
import pydantic
import scrapy

from scrapy_webtext import WebTextFields, WebTextItem


class ScrapyItem(WebTextItem):
    key = scrapy.Field()


@dataclass
class DataclassItem(WebTextFields):
    key: str


@dataclass(slots=True)
class SlottedItem:
    key: str
    main_text: str | None = None
    has_article: bool | None = None
    p_value: float | None = None
    main_text_score: float | None = None
    article_probability: float | None = None


@dataclass(frozen=True)
class FrozenItem:
    key: str
    main_text: str | None = None
    has_article: bool | None = None
    p_value: float | None = None
    main_text_score: float | None = None
    article_probability: float | None = None


@attrs.define
class AttrsItem:
    key: str
    main_text: str | None = None
    has_article: bool | None = None
    p_value: float | None = None
    main_text_score: float | None = None
    article_probability: float | None = None


class PydanticItem(pydantic.BaseModel):
    key: str
    main_text: str | None = None
    has_article: bool | None = None
    p_value: float | None = None
    main_text_score: float | None = None
    article_probability: float | None = None


KINDS: dict[str, Any] = {
    "dict": dict,
    "scrapy": ScrapyItem,
    "dataclass": DataclassItem,
    "slotted": SlottedItem,
    "frozen": FrozenItem,
    "attrs": AttrsItem,
    "pydantic": PydanticItem,
}
