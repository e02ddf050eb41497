"""Whether the spider's own view of a page is the same with this package as without it.

    python -m tests.kits.isolation CORPUS.jsonl.gz...

Prints how many pages were looked at, and names those that differ.
"""

import sys
from collections.abc import Iterator
from typing import Any

from lxml import etree
from scrapy.http import HtmlResponse

from scrapy_webtext.lab.corpus import read_corpora
from tests.crawls.offline import Components, response_of


def view(response: HtmlResponse) -> tuple[Any, ...]:
    """What a spider may see of a page: its links, its text, its tree, its markup."""
    try:
        selector = response.selector
    except ValueError as error:  # Scrapy refuses some values of <base href>
        return (str(error), response.text)
    return (
        selector.css("a::attr(href), img::attr(src)").getall(),
        selector.xpath("//text()").getall(),
        [etree.tostring(top) for top in [selector.root, *selector.root.itersiblings()]],
        response.text,
        response.encoding,
        dict(response.meta),
        [flag for flag in response.flags if not flag.startswith("webtext:")],
    )


def is_untouched(body: bytes, extractor: str) -> bool:
    """Whether a page looks the same before and after it was judged and extracted."""
    content_type = "text/html; charset=utf-8"
    alone, seen = response_of(body, content_type), response_of(body, content_type)
    before = view(alone)
    Components(EXTRACTOR=extractor, JUDGE="learned").item_of(seen)
    return view(seen) == before


def changed(corpora: list[str], extractor: str) -> Iterator[str]:
    for page in read_corpora(corpora):
        if not is_untouched(page.html.encode("utf-8", "replace"), extractor):
            yield page.id


def main() -> None:
    pages = sum(1 for _ in read_corpora(sys.argv[1:]))
    for extractor in ("fusion", "pvalue"):
        print(extractor, pages, "pages, changed:", list(changed(sys.argv[1:], extractor)))


if __name__ == "__main__":
    main()
