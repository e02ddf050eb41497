"""The spider sees each page as it would without this package."""

from typing import Any

import pytest
from lxml import etree
from scrapy.http import HtmlResponse

from scrapy_webtext.registry import EXTRACTORS
from tests.crawls.offline import Components, response_of
from tests.kits import hostile
from tests.kits.data import SITE

PAGES = {
    **{path.name: path.read_bytes() for path in sorted(SITE.rglob("*.html"))[::6]},
    **{
        name: page if isinstance(page, bytes) else page.encode("utf-8", "replace")
        for name, page in hostile.SMALL.items()
    },
}


def view(response: HtmlResponse) -> tuple[Any, ...]:
    """Return all that a spider can see of a page: links, text, tree, markup, meta, flags."""
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


@pytest.mark.parametrize("extractor", sorted(EXTRACTORS))
def test_judge_and_extractor_leave_the_spiders_view_as_it_is(extractor: str) -> None:
    changed = []
    for name, body in PAGES.items():
        expected, seen = (response_of(body, "text/html; charset=utf-8") for _ in range(2))
        before = view(expected)
        Components(EXTRACTOR=extractor, JUDGE="learned").item_of(seen)
        if view(seen) != before:
            changed.append(name)
    assert len(PAGES) > 60
    assert changed == []
