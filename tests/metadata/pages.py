"""Pages written by hand for the tests of metadata, and how they are read."""

from typing import Any

from scrapy_webtext.metadata import FIELDS, Candidate, describe_article
from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor
from tests.kits.hostile import SENTENCE

TEXT = "".join(f"<p>{SENTENCE * 3}</p>" for _ in range(4))
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(8)) + "</ul>"
URL = "https://www.courier.example/news/boat"


def story(
    head: str = "", above: str = "<h1>Boat gone</h1>", below: str = "", lang: str = ""
) -> str:
    """A page with a menu, an article and a foot."""
    start = f"<!DOCTYPE html><html{lang and f' lang={lang!r}'}><head>{head}</head>"
    return (
        f"{start}<body>{MENU}<article>{above}{TEXT}{below}</article><p>© Courier</p></body></html>"
    )


def json_ld(value: str) -> str:
    return f'<script type="application/ld+json">{value}</script>'


def read(
    html: str, *names: str, url: str | None = URL, extractor: str = "fusion"
) -> dict[str, Candidate]:
    page = parse(html, url=url)
    extraction = make_extractor(extractor).extract(page)
    return describe_article(page, extraction, names or FIELDS)


def value(html: str, name: str, **options: Any) -> Any:
    return read(html, name, **options)[name].value
