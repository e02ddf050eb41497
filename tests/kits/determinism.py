"""One digest of what all extractors and judges make of many pages; equal wherever they run.

    python -m tests.kits.determinism

The pages are those of the example site and the hostile ones. Texts, chosen blocks, scores to the
last bit, signals and judgements go into the digest.
"""

import hashlib
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from scrapy_webtext.extractors.fusion import FusionExtractor
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import predict
from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import EXTRACTORS, JUDGES, make_extractor, make_judge
from scrapy_webtext.results import SignalSource
from tests.kits import hostile

SITE = Path(__file__).parents[2] / "example_project" / "news" / "site"


def pages() -> Iterator[str | bytes]:
    for path in sorted(SITE.rglob("*.html")):
        yield path.read_bytes()
    yield from hostile.SMALL.values()


def digest_of(page: Page) -> bytes:
    found = hashlib.sha256()

    def add(*values: object) -> None:
        for value in values:
            is_float = isinstance(value, float)
            found.update(struct.pack("d", value) if is_float else repr(value).encode() + b"\0")

    for name in sorted(EXTRACTORS):
        extractor = make_extractor(name)
        extraction = extractor.extract(page)
        add(name, extraction.text, extraction.score, extraction.chosen)
        if isinstance(extractor, FusionExtractor):  # its signals are half made of their reasons
            prediction = predict(page, load_fusion(None))
            add(*prediction.first_pass, *prediction.probabilities)
        elif isinstance(extractor, SignalSource):
            for signal in extractor.signals(page):
                add(signal.name, *signal.values, *signal.selected)
    for name in sorted(JUDGES):
        judgement = make_judge(name).judge(page, 0.5)
        add(name, judgement.has_article, judgement.probability, judgement.p_value)
    return found.digest()


def digest(pages: Iterable[str | bytes]) -> str:
    whole = hashlib.sha256()
    for html in pages:
        whole.update(digest_of(parse(html)))
    return whole.hexdigest()


if __name__ == "__main__":
    print(digest(pages()))
