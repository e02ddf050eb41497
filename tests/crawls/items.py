"""Seven kinds of item, each with a key and the default fields."""

import dataclasses
from typing import Any

import attrs
import pydantic
import scrapy

from scrapy_webtext import WebTextFields, WebTextItem
from scrapy_webtext.results import DEFAULT_FIELDS


class ScrapyItem(WebTextItem):
    key = scrapy.Field()


@dataclasses.dataclass
class DataclassItem(WebTextFields):
    key: str


FIELDS: Any = [("key", str), *((name, Any, None) for name in DEFAULT_FIELDS)]


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
    "slotted": dataclasses.make_dataclass("SlottedItem", FIELDS, slots=True),
    "frozen": dataclasses.make_dataclass("FrozenItem", FIELDS, frozen=True),
    "attrs": attrs.make_class(
        "AttrsItem",
        {"key": attrs.field(), **{name: attrs.field(default=None) for name in DEFAULT_FIELDS}},
    ),
    "pydantic": PydanticItem,
}
