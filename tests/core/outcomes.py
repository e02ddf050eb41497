"""A digest per page of all that is made of it, to be compared between two processes.

    python -m tests.core.outcomes [--every N] [--soups N] [--made-every N] [CORPUS.jsonl.gz ...]

Pages are those of the example site, the hostile pages, those of the gallery, N of the fuzzer
(``--soups``), of these every Nth (``--made-every``), and every Nth of the corpora. Each page is
read three ways: from its source, from a tree as Scrapy's selectors have it, and as XML if it is
well formed.
"""

import argparse
import hashlib
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields
from itertools import chain, islice
from random import Random

from lxml import etree
from parsel import Selector

from scrapy_webtext.lab.corpus import read_corpus
from scrapy_webtext.metadata import describe_article
from scrapy_webtext.page import Blocks, Page, Runs, from_root, parse
from scrapy_webtext.page.encoding import decode
from scrapy_webtext.page.parser_limits import has_swollen_tag
from scrapy_webtext.registry import make_extractor, make_judge
from scrapy_webtext.render import FORMATS, render_blocks, render_formats, render_runs
from scrapy_webtext.render.outline import blocks_in_tables
from scrapy_webtext.results import Extraction
from tests.gallery import gallery
from tests.kits import hostile
from tests.kits.determinism import digest, site_and_small
from tests.kits.soup import page_of

#: Pieces of each large hostile page.
LARGE_PIECES = 300
#: Deeper than libxml2's trees.
DEEP_PIECES = 2_500
#: Shares of a page's runs or blocks that are rendered.
SHARES = (1.0, 0.9, 0.3, 0.03)
#: The letter of the papers, and parameters that change what is read.
OTHERS: tuple[tuple[str, dict[str, str]], ...] = tuple(
    (name, {"reading": "paper"}) for name in ("pvalue", "bte", "ttr", "naive_bayes", "wffte")
)


def made(soups: int) -> Iterator[tuple[str, str | bytes]]:
    """Pages that were written or generated for tests."""
    for number, html in enumerate(site_and_small()):
        yield f"site and hostile {number}", html
    for name, large in hostile.LARGE.items():
        yield f"large {name}", large(LARGE_PIECES)
    for name in ("nested divs", "nested inline", "nested lists", "misplaced ends deep down"):
        yield f"deep {name}", hostile.LARGE[name](DEEP_PIECES)
    for page in gallery():
        yield f"gallery {page.name}", page.html
    chance = Random(0)
    for number in range(soups):
        yield f"soup {number}", page_of(chance.randbytes(chance.choice([20, 200, 2_000])))


def labelled_pages(corpora: Iterable[str], every: int) -> Iterator[tuple[str, str]]:
    for corpus in corpora:
        for number, labelled in enumerate(read_corpus(corpus)):
            if number % every == 0:
                yield f"{corpus} {number}", labelled.html


def readings(html: str | bytes) -> Iterator[Page]:
    yield parse(html)
    text = html if isinstance(html, str) else decode(html)
    text = text.encode("utf-8", "replace").decode().replace("\0", "")
    if text.strip():
        yield from_root(Selector(text=text).root, body=text.encode())
    with suppress(etree.XMLSyntaxError, ValueError):
        parser = etree.XMLParser(resolve_entities=False, strip_cdata=False, no_network=True)
        yield from_root(etree.fromstring(text.encode(), parser))


def as_list(column: object) -> object:
    """Return a column as a list, if it is an array of numbers."""
    return list(column) if isinstance(column, array) else column


def outcome(page: Page) -> str:
    """Return a digest of the columns of a page, and of all that is made of them."""
    seen = hashlib.sha256(digest([page]).encode())

    def add(*values: object) -> None:
        seen.update(repr(values).encode("utf-8", "backslashreplace"))

    add(page.nodes, has_swollen_tag(page.body * 40))
    for table, kind in ((page.runs, Runs), (page.blocks, Blocks)):
        for field in fields(kind):
            column = getattr(table, field.name)
            add(field.name, sorted(column) if isinstance(column, frozenset) else as_list(column))
    add(page.hidden, page.hidden_elements, as_list(page.containers))
    add(page.is_link, page.json_ld, page.title, page.is_truncated)
    for name, options in OTHERS:
        extractor = make_extractor(name, options)
        add(extractor.extract(page), extractor.signals(page))
    add(make_judge("pvalue", {"reading": "paper"}).judge(page))
    chosen = make_extractor("fusion").extract(page)
    add(render_formats(page, chosen.text, chosen.chosen, chosen.runs, FORMATS))
    add(describe_article(page, chosen))
    for text in parts(page):
        add(text)
    return seen.hexdigest()


def parts(page: Page) -> Iterator[object]:
    """Yield renderings of some runs and blocks, given as any iterable."""
    chance = Random(len(page.runs))
    for share in SHARES:
        runs = [k for k in range(len(page.runs)) if chance.random() < share]
        yield Extraction.of_runs(page, runs, 0.5, "pvalue")
        text = render_runs(page, iter(runs))
        yield text, render_formats(page, text, (), runs, FORMATS)
        blocks = tuple(b for b in range(len(page.blocks)) if chance.random() < share)
        text = render_blocks(page, blocks)
        yield sorted(blocks_in_tables(page, blocks))
        yield text, render_formats(page, text, blocks, (), FORMATS)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="*")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--soups", type=int, default=0)
    parser.add_argument("--made-every", type=int, default=1)
    parser.add_argument("--corpora-only", action="store_true")
    given = parser.parse_args()
    pages = labelled_pages(given.corpora, given.every)
    own = islice(made(given.soups), None, None, given.made_every)
    for name, html in pages if given.corpora_only else chain(own, pages):
        print(name, *map(outcome, readings(html)), sep="\t", flush=True)


if __name__ == "__main__":
    main()
