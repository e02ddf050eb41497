"""Examples of pages that nobody made: what a test does not name is empty."""

from typing import Any

from scrapy_webtext.lab.train.fusion.examples import Example


def made(number: int, *, site: str = "", **fields: Any) -> Example:
    """Return an English article of a site of its own, unless told otherwise."""
    empty: dict[str, Any] = {
        "corpus": "made",
        "is_article": True,
        "script": "english",
        "gold_words": 0,
        "words": [],
        "matched": [],
        "labels": [],
        "class_names": {},
        "tokens": {},
        "bag_of_words": (),
        "page": None,
    }
    return Example(id=str(number), domain=site or f"{number}.example", **(empty | fields))
