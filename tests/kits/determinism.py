"""Print one digest of all extractors and judges on the example site and the hostile pages.

    python -m tests.kits.determinism

It covers texts, chosen blocks, scores to the last bit, signals and judgements. It needs only the
installed package.
"""

import hashlib
import struct
from collections.abc import Iterable

from scrapy_webtext.extractors.fusion import FusionExtractor
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import predict
from scrapy_webtext.page import Page, parse
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import EXTRACTORS, JUDGES, make_extractor
from scrapy_webtext.results import SignalSource
from tests.kits import hostile
from tests.kits.data import SITE


def digest(pages: Iterable[Page]) -> str:
    found = hashlib.sha256()

    def add(*values: object) -> None:
        for value in values:
            is_float = isinstance(value, float)
            found.update(struct.pack("d", value) if is_float else repr(value).encode() + b"\0")

    for page in pages:
        for name in sorted(EXTRACTORS):
            extractor = make_extractor(name)
            extraction = extractor.extract(page)
            add(name, extraction.text, extraction.score, extraction.chosen)
            if isinstance(extractor, FusionExtractor):  # half of its signals are their reasons
                prediction = predict(page, load_fusion(None))
                add(*prediction.first_pass, *prediction.probabilities)
            elif isinstance(extractor, SignalSource):
                for signal in extractor.signals(page):
                    add(signal.name, *signal.values, *signal.selected)
        for name in sorted(JUDGES):
            judgement = PageReader.of("pvalue", name).judged(page)
            add(name, judgement.has_article, judgement.probability, judgement.p_value)
    return found.hexdigest()


def site_and_small() -> list[str | bytes]:
    return [*(path.read_bytes() for path in sorted(SITE.rglob("*.html"))), *hostile.SMALL.values()]


def digest_of_all() -> str:
    return digest(map(parse, site_and_small()))


if __name__ == "__main__":
    print(digest_of_all())
