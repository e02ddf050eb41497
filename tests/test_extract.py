"""``extract(html)`` as a function of its own: what it takes and what it refuses."""

import pytest

from scrapy_webtext import extract
from scrapy_webtext.errors import NotHtmlError, SettingsError

PAGE = "<article><p>One day it rained, and nobody in the town had an umbrella.</p>"


@pytest.mark.parametrize("address", ["https://example.com/x", b" HTTP://example.com/x?y\n"])
def test_an_address_is_refused_with_what_to_do(address):
    with pytest.raises(NotHtmlError, match=r"not its address .*scrapy webtext extract ADDRESS"):
        extract(address)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\n1 0 obj << /Type /Catalog >>", "a PDF"),
        ("%PDF-1.7", "a PDF"),
        (b"\x89PNG\r\n\x1a\n<p>", "a PNG picture"),
        (b"\xff\xd8\xff\xe0", "a JPEG picture"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b\x08", "compressed with gzip"),
        ('{"title": "Rain", "body": "It rained."}', "JSON"),
        (b" [1, 2]", "JSON"),
    ],
)
def test_what_is_no_html_is_refused_by_its_name(content, name):
    with pytest.raises(NotHtmlError, match=name):
        extract(content)


@pytest.mark.parametrize(
    "content",
    ["", "It rained.", "{not json", "[1] It rained.", "https://example.com/ is a site."],
)
def test_odd_text_is_a_page(content):
    assert extract(content).main_text == content


@pytest.mark.parametrize("threshold", [7, -0.1, "x", float("nan"), True])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(SettingsError, match="from 0 to 1"):
        extract(PAGE, threshold=threshold)


def test_the_text_is_a_function_of_the_page():
    addresses = (None, "https://example.com/", "https://example.com/2024/05/14/rain.html")
    assert len({extract(PAGE, url=url).main_text for url in addresses}) == 1
