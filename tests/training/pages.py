"""Training examples that the tests of this folder share."""

from __future__ import annotations

from typing import Any

from training.examples import Example


def training_example(name: object, *, site: str = "", **fields: Any) -> Example:
    """Return an English article of its own site; ``fields`` replace the other defaults."""
    empty: dict[str, Any] = {
        "corpus": "small",
        "type": "article",
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
    return Example(id=str(name), domain=site or f"{name}.example", **(empty | fields))
