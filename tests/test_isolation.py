"""The spider's own view of a page is the one that it would have without this package."""

import pytest

from scrapy_webtext.registry import EXTRACTORS
from tests.kits import determinism, hostile
from tests.kits.isolation import is_untouched

PAGES = {
    **{path.name: path.read_bytes() for path in sorted(determinism.SITE.rglob("*.html"))[::6]},
    **{
        name: page if isinstance(page, bytes) else page.encode("utf-8", "replace")
        for name, page in hostile.SMALL.items()
    },
}


@pytest.mark.parametrize("extractor", sorted(EXTRACTORS))
def test_the_spiders_view_is_untouched(extractor: str) -> None:
    assert len(PAGES) > 60
    assert [name for name, body in PAGES.items() if not is_untouched(body, extractor)] == []
