"""Makes the sample of block features that the gate on quality looks at.

    python -m tests.extractors.fusion.sample tests/data/fusion_blocks.json.gz

Needs the labelled corpora (``WEBTEXT_CORPORA``, or ``../shared/corpora``), and is run when block
features change. The pages of each type that come first are taken, one of five, if they are short;
what is written of them is numbers.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.corpus import LabelledPage, match_words, read_corpus, tokens
from scrapy_webtext.extractors.fusion.features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.model import KIND_FEATURES, load_fusion, read_page
from scrapy_webtext.extractors.fusion.pages import page_features
from scrapy_webtext.page import parse
from scrapy_webtext.train.fusion import BLOCK_CONTEXT
from tests.conftest import CORPORA

#: Pages by corpus and type.
PAGES: Final[Mapping[tuple[str, str], int]] = {
    ("newspaper4k", "article"): 8,
    ("zh_dev", "article"): 2,
    ("wcxb_dev", "article"): 3,
    ("wcxb_dev", "forum"): 3,
    ("wcxb_dev", "service"): 5,
    ("wcxb_dev", "product"): 3,
    ("wcxb_dev", "collection"): 4,
    ("wcxb_dev", "listing"): 4,
    ("wcxb_dev", "documentation"): 4,
}
EVERY: Final = 5
BLOCKS: Final = range(15, 121)
#: Fewer words of gold text on the page make a figure of chance.
LEAST_MATCHED: Final = 60


def main(path: str) -> None:
    """Write the sample."""
    rows = [row for key, count in PAGES.items() for row in islice(_rows(*key), count)]
    content = json.dumps(rows, separators=(",", ":")).encode()
    Path(path).write_bytes(gzip.compress(content, 9, mtime=0))
    print(f"{len(rows)} pages of {sum(PAGES.values())}")


def _rows(corpus: str, kind: str) -> Iterator[dict[str, Any]]:
    """Yield a row per page of this type that the sample can have."""
    for number, labelled in enumerate(read_corpus(CORPORA / f"{corpus}.jsonl.gz")):
        if number % EVERY == 0 and labelled.type == kind and labelled.text:
            row = _row(labelled)
            if len(row["words"]) in BLOCKS and sum(row["matched"]) >= LEAST_MATCHED:
                yield row


def _row(labelled: LabelledPage) -> dict[str, Any]:
    page = parse(labelled.html, url=labelled.url)
    seen = read_page(page, load_fusion())
    matches = match_words(page.blocks.text, labelled.text)
    matches = [matches[b] for b in seen.reading.texts.numbers]
    features = page_features(page, seen.reading)
    columns = seen.reading.columns
    return {
        "type": labelled.type,
        "gold_words": len(tokens(labelled.text)),
        "words": [match.words for match in matches],
        "matched": [match.matched for match in matches],
        "columns": {name: list(map(_short, columns[name])) for name in BLOCK_FEATURES},
        "page": {
            **{name: _short(features[name]) for name in BLOCK_CONTEXT},
            **{name: _short(p) for name, p in zip(KIND_FEATURES, seen.kinds, strict=True)},
        },
    }


def _short(value: float) -> float:
    """Return the number with four digits."""
    return int(value) if float(value).is_integer() else float(f"{value:.4g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
