"""Makes the sample of block features that the quality test uses.

    python -m tests.extractors.fusion.sample tests/data/fusion_blocks.json.gz

Needs the labelled corpora (``WEBTEXT_CORPORA``, or ``../shared/corpora``), and is run when block
features change. The sample contains only numbers, no text of the pages.
"""

import gzip
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.context import groups
from scrapy_webtext.extractors.fusion.features.page_features import STRUCTURE_FEATURES
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import predict
from scrapy_webtext.lab.corpus import LabelledPage, match_words, read_corpus, tokens
from scrapy_webtext.page import parse
from tests.conftest import CORPORA

#: The sample has the same pages of each corpus for any features, so that scores can be compared.
#: Pages are in this order.
PAGES: Final[Sequence[tuple[str, str]]] = (
    ("newspaper4k", "1 6 11 21 32 37 42 52"),
    ("zh_dev", "baijiahao/2 cmse/1"),
    ("wcxb_dev", "dev-0001 dev-0026 dev-0031"),  # articles
    ("wcxb_dev", "dev-0504 dev-0509 dev-0552"),  # forums
    ("wcxb_dev", "dev-0066 dev-0697 dev-0714 dev-1647 dev-2836"),  # services
    ("wcxb_dev", "dev-0592 dev-0619 dev-2889"),  # products
    ("wcxb_dev", "dev-0597 dev-4069 dev-4736"),  # collections
    ("wcxb_dev", "dev-2909 dev-3013 dev-3031 dev-4348"),  # listings
    ("wcxb_dev", "dev-0499 dev-0703 dev-2997 dev-3037"),  # documentation
)


def main(path: str) -> None:
    """Write the sample."""
    rows = [
        row(labelled)
        for corpus, ids in PAGES
        for labelled in read_corpus(CORPORA / f"{corpus}.jsonl.gz")
        if labelled.id in ids.split()
    ]
    content = json.dumps(rows, separators=(",", ":")).encode()
    Path(path).write_bytes(gzip.compress(content, 9, mtime=0))


def row(labelled: LabelledPage) -> dict[str, Any]:
    """Return the numbers that the sample has for a page."""
    page = parse(labelled.html, url=labelled.url)
    seen = predict(page, load_fusion())
    matches = match_words(page.blocks.text, labelled.text)
    matches = [matches[b] for b in seen.table.texts.numbers]
    columns, blocks = seen.table.columns, groups(seen.table)
    return {
        "type": labelled.type,
        "gold_words": len(tokens(labelled.text)),
        "words": [match.words for match in matches],
        "matched": [match.matched for match in matches],
        "columns": {name: list(map(_short, columns[name])) for name in BLOCK_FEATURES},
        "page": {name: _short(seen.features[name]) for name in STRUCTURE_FEATURES},
        "groups": {
            name: list(getattr(blocks, name)) for name in ("words", "template_id", "container_id")
        },
        "units": {name: list(column) for name, column in asdict(seen.table.units).items()},
    }


def _short(value: float) -> float:
    """Return the number with four digits."""
    return int(value) if float(value).is_integer() else float(f"{value:.4g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
