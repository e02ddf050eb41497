"""Results in items of every kind: written fields, unchanged fields, texts of the spider's own."""

import dataclasses
from dataclasses import dataclass, field
from typing import Annotated, Any

import attrs
import pydantic
import pytest
from itemadapter import ItemAdapter

from scrapy_webtext import WebTextItem, WebTextResult, fill
from scrapy_webtext.pipeline import fill_item, set_by_spider, write
from scrapy_webtext.results import DEFAULT_FIELDS
from scrapy_webtext.settings import FieldPreset
from tests.crawls.items import KINDS, PydanticItem

RESULT = WebTextResult("the text", True, 0.9, 0.8, "pvalue", 0.7)
VALUES = {"main_text": "the text", "has_article": True, "p_value": 0.9, "main_text_score": 0.8,
          "article_probability": 0.7}  # fmt: skip


class FrozenPydanticItem(PydanticItem, frozen=True): ...


@pytest.mark.parametrize("kind", [*KINDS.values(), FrozenPydanticItem])
def test_every_kind_of_item_is_filled_and_a_frozen_one_copied(kind: Any) -> None:
    item = kind(key="k")
    filled = fill(item, RESULT, DEFAULT_FIELDS)
    assert type(filled) is type(item)
    assert ItemAdapter(filled).asdict() == {"key": "k", **VALUES}
    is_frozen = "Frozen" in kind.__name__
    assert (filled is item) is not is_frozen
    assert ItemAdapter(item).get("main_text") == (None if is_frozen else "the text")
    assert fill({}, RESULT, fields={"main_text": "body"}) == {"body": "the text"}


LONG = {"main_text": "far too long a text for this field", "has_article": True}
FIELDS = {"main_text": "main_text", "has_article": "has_article"}
Short = Annotated[str | None, pydantic.Field(max_length=10)]


class Validating(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(validate_assignment=True)
    main_text: Short = None
    has_article: bool | None = None


class FrozenValidating(Validating, frozen=True): ...


def validating(define: Any) -> Any:
    is_short = attrs.validators.optional(attrs.validators.max_len(10))
    text = attrs.field(default=None, validator=is_short)
    return define(type("Short", (), {"main_text": text, "has_article": attrs.field(default=None)}))


@dataclass
class LateRefusal:
    main_text: str | None = None
    has_article: bool | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "has_article" and value is True:
            raise ValueError("no")
        object.__setattr__(self, name, value)


class LateRefusalDict(dict[str, Any]):
    def __setitem__(self, name: str, value: Any) -> None:
        if name == "has_article":
            raise ValueError("no")
        super().__setitem__(name, value)


@pytest.mark.parametrize(
    "item",
    [
        Validating(),
        FrozenValidating(),
        validating(attrs.define)(),
        validating(attrs.frozen)(),
        LateRefusal(),
        LateRefusalDict(url="u"),
    ],
)
def test_a_refused_value_raises_and_the_item_stays_as_it_was(item: Any) -> None:
    before = ItemAdapter(item).asdict()
    with pytest.raises(ValueError, match=r"."):
        write(item, LONG)
    assert ItemAdapter(item).asdict() == before


SEEN = field(default_factory=list, init=False)
FROZEN = [("main_text", Any, None), ("has_article", Any, None), ("seen", list, SEEN)]
Frozen = dataclasses.make_dataclass("Frozen", FROZEN, frozen=True)
FrozenSlots = dataclasses.make_dataclass("FrozenSlots", FROZEN, frozen=True, slots=True)
FrozenAttrs = attrs.make_class(
    "FrozenAttrs",
    {"main_text": attrs.field(default=None), "has_article": attrs.field(default=None),
     "seen": attrs.field(factory=list, init=False)},
    frozen=True,
)  # fmt: skip


@pytest.mark.parametrize("kind", [Frozen, FrozenSlots, FrozenAttrs])
def test_a_copy_of_a_frozen_item_keeps_fields_outside_the_constructor(kind: Any) -> None:
    item = kind()
    item.seen.append("by the spider")
    copied = write(item, LONG)
    assert copied is not item
    assert copied.seen == ["by the spider"]
    assert copied.main_text == LONG["main_text"]
    assert item.main_text is None


@dataclass
class Half:
    metadata: dict[str, Any] = field(default_factory=dict)


def test_the_fields_of_a_preset_are_written_all_or_none() -> None:
    shape = {"p_value": lambda number: {"probability": number}}
    some = FieldPreset({"main_text": "body", "p_value": "metadata"}, shape)
    item = Half({"probability": 0.1})
    assert fill_item(item, RESULT, some, set()) == (item, ["body"])
    assert item.metadata == {"probability": 0.1}
    fill_item(item, RESULT, FieldPreset({"p_value": "metadata"}, shape), set())
    assert item.metadata == {"probability": 0.9}
    assert fill({"metadata": {"a": 1}}, RESULT, FieldPreset({"p_value": "metadata"}, shape)) == {
        "metadata": {"a": 1, "probability": 0.9}
    }


@dataclass
class WithDefaults:
    main_text: str = ""
    has_article: bool = False


@dataclass
class WithFactories:
    main_text: str = field(default_factory=str)
    tags: list[str] = field(default_factory=list)


@dataclass
class NotInInit:
    main_text: str = field(default="", init=False)
    has_article: bool = field(default=False, init=False)
    p_value: float = field(default=float("nan"), init=False)


@attrs.define
class Aliases:
    main_text: str = attrs.field(default="", alias="text")
    has_article: bool = attrs.field(factory=bool, alias="article")


class PydanticAliases(pydantic.BaseModel):
    main_text: str = pydantic.Field("", alias="mainText")
    has_article: bool = pydantic.Field(False, alias="hasArticle")
    p_value: float = pydantic.Field(default_factory=float)


PydanticDefaults = pydantic.create_model("PydanticDefaults", main_text=(str, "none yet"))
Judged = dataclasses.make_dataclass("Judged", [("has_article", Any, None)])


def test_a_field_is_set_if_it_has_a_value_other_than_its_default() -> None:
    both = {"main_text", "has_article"}
    own: list[tuple[Any, set[str]]] = [
        ({"main_text": "mine"}, {"main_text"}),
        ({"main_text": "", "has_article": False}, both),  # filled from a page without text
        ({"has_article": True}, {"has_article"}),
        (WithDefaults(main_text="mine"), {"main_text"}),
        (PydanticAliases(mainText="mine"), {"main_text"}),
        (PydanticAliases(hasArticle=True), both),
        (PydanticDefaults(main_text="mine"), {"main_text"}),
        (WebTextItem(main_text="mine"), {"main_text"}),
        (Judged(has_article=False), {"has_article"}),
    ]
    unset = [
        {},
        {"main_text": None},
        {"main_text": ""},
        WithDefaults(),
        WithFactories(),
        NotInInit(),
        Aliases(),
        attrs.define(WithDefaults)(),
        PydanticAliases(),
        PydanticDefaults(),
        WebTextItem(),
        Judged(),
    ]
    assert [item for item, names in own if set_by_spider(item, FIELDS) != names] == []
    assert [item for item in unset if set_by_spider(item, FIELDS)] == []


@pytest.mark.parametrize("kind", [WithFactories, pydantic.dataclasses.dataclass(WithFactories)])
def test_an_empty_list_of_a_factory_is_filled(kind: Any) -> None:
    fields = {"main_text": "main_text", "tags": "tags"}
    assert set_by_spider(kind(), fields) == set()
    assert set_by_spider(kind(tags=["mine"]), fields) == {"tags"}
    assert set_by_spider({"tags": []}, fields) == set()
