"""A small model worked by hand, and what tests of naive Bayes share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scrapy_webtext.extractors.naive_bayes.blocks import (
    BLOCKINGS,
)

# Counts of 8 blocks of content and 20 of the rest. Smoothed by 1 and divided by 8 + levels or
# 20 + levels, features 1 and 3 summed up to the level (eqs. 4, 5, 8, 9):
#
#   unlinked_chars     content 1/14 2/14 3/14 4/14 6/14 14/14   rest 15/26 20/26 22/26 23/26 24/26 1
#   link_ratio         content 7/12 3/12 1/12 1/12              rest 2/24 2/24 4/24 16/24
#   punctuation_ratio  content 1/11 2/11 11/11                  rest 19/23 22/23 23/23
#   paragraphs         content 2/11 3/11 6/11                   rest 20/23 2/23 1/23
CONTENT = {
    "total": 8,
    "unlinked_chars": [0, 0, 0, 0, 1, 7],
    "link_ratio": [6, 2, 0, 0],
    "punctuation_ratio": [0, 0, 8],
    "paragraphs": [1, 2, 5],
}


REST = {
    "total": 20,
    "unlinked_chars": [14, 4, 1, 0, 0, 1],
    "link_ratio": [1, 1, 3, 15],
    "punctuation_ratio": [18, 2, 0],
    "paragraphs": [19, 1, 0],
}


def toy_model() -> dict[str, Any]:
    classes = {"content": CONTENT, "rest": REST}
    table = dict.fromkeys(("words", "blocks"), classes)
    tables = {blocking.key: table for blocking in BLOCKINGS}
    return json.loads(
        json.dumps({"kind": "naive_bayes", "version": 2, "pages": 3, "tables": tables})
    )


def write(path: Path, model: object) -> Path:
    path.write_text(json.dumps(model))
    return path


NESTED = "<div><p>Before.</p><div><p>Inside, here.</p></div><p>After.</p></div>"


# 46 characters outside links, 4 in one (8 %), 2 marks (50 %), one <p>: levels 2, 0, 2, 1.
#   eq. 14: 3/14 * 7/12 * 1 * 3/11 = 0.0341     eq. 15: 22/26 * 2/24 * 1 * 2/23 = 0.00613
STORY = "<div><p>The river rose through the night, and <a>more</a> than that.</p></div>"


# 4 characters outside links, 8 in one (67 %), no mark, no <p>: levels 0, 2, 0, 0.
#   eq. 14: 1/14 * 1/12 * 1/11 * 2/11 = 0.0000984   eq. 15: 15/26 * 4/24 * 19/23 * 20/23 = 0.0691
MENU = "<div><b>Home</b> <a>Contacts</a></div>"
