"""Which encoding a body is read in: that of a Scrapy response with the same header."""

import encodings
import pkgutil

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

from scrapy_webtext import extract
from scrapy_webtext.crawling.responses import read_page
from scrapy_webtext.page import decode, decode_fixed, is_foreign_codec, is_html, parse
from tests.kits import hostile

TEXT = "<p>Grüße aus Köln, 5 €"
HEADERS = [
    None,
    "text/html",
    "text/html; charset=utf-8",
    "text/html; charset=UTF8; x=y",
    "text/html;charset=iso-8859-1",
    "text/html; charset=windows-1252",
    "text/html; charset=gb2312",
    "text/html; charset=shift_jis",
    "text/html; charset=no-such-encoding",
    "text/html; charset=",
]
DECLARATIONS = ["", "<meta charset=utf-8>", "<meta charset=latin-1>", "<meta charset=big5>"]


def as_scrapy(body: bytes, content_type: str | None) -> str:
    headers = {"Content-Type": content_type} if content_type else {}
    return HtmlResponse("https://example.com", body=body, headers=headers).text


@pytest.mark.parametrize("content_type", HEADERS)
@pytest.mark.parametrize("declaration", DECLARATIONS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_body_is_decoded_as_scrapy_does(
    content_type: str | None, declaration: str, encoding: str
) -> None:
    body = (declaration + TEXT).encode(encoding)
    assert decode(body, content_type) == as_scrapy(body, content_type)


@given(st.binary(max_size=60), st.sampled_from(HEADERS))
@example(b"\xef\xbb\xbf\xff", "text/html; charset=utf-16")
@example(b"\x81\x8d", None)
def test_any_bytes_are_decoded_as_scrapy_does(body: bytes, content_type: str | None) -> None:
    assert decode(body, content_type) == as_scrapy(body, content_type)


@pytest.mark.parametrize("content_type", HEADERS)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_utf_8_that_is_called_latin_1_is_fixed_as_in_a_crawl(
    content_type: str | None, encoding: str
) -> None:
    body = TEXT.encode(encoding)
    headers = {"Content-Type": content_type} if content_type else {}
    response = HtmlResponse("https://example.com", body=body, headers=headers)
    assert decode_fixed(body, content_type) == read_page(response, fix_encoding=True).source


def test_latin_1_that_is_utf_8_is_named_by_header_or_page() -> None:
    body = TEXT.encode()
    assert decode(body, "text/html; charset=iso-8859-1") != TEXT
    assert decode_fixed(body, "text/html; charset=iso-8859-1") == TEXT
    assert decode_fixed(b"<meta charset=iso-8859-1>" + body).endswith(TEXT)


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b"<p>x", "text/html", True),
        (b"<p>x", "Application/XHTML+XML; charset=utf-8", True),
        (b"<html>", "text/plain", False),
        (b"\xef\xbb\xbf \n<!DOCTYPE html>", None, True),
        (b"<article>", " ", True),
        (b"%PDF", None, False),
        (b"", None, False),
    ],
)
def test_html_is_known_by_its_type_or_its_beginning(
    body: bytes, content_type: str | None, expected: bool
) -> None:
    assert is_html(body, content_type) is expected


CODECS = sorted({module.name for module in pkgutil.iter_modules(encodings.__path__)})


@pytest.mark.parametrize("codec", CODECS)
def test_a_page_may_name_any_codec_of_python(codec: str) -> None:
    html = f"<meta charset={codec}><p>{hostile.SENTENCE}\\ud800</p>"
    assert parse(html.encode()).source.encode()
    assert decode(html.encode() + b"\xff\xfe\x00\xd8-")


@pytest.mark.parametrize(
    "name", ["idna", "punycode", "UTF_7", "hex", "unicode_escape", "nothing", "cp037", "IBM500"]
)
def test_codecs_that_are_no_encodings_of_the_web_are_foreign(name: str) -> None:
    assert is_foreign_codec(name)


@pytest.mark.parametrize(
    "name", ["utf-8", "gb18030", "cp1251", "koi8-r", "shift_jis", "utf-16", "utf-32-be"]
)
def test_encodings_of_the_web_are_not_foreign(name: str) -> None:
    assert not is_foreign_codec(name)


@pytest.mark.parametrize("declared", ["hex", "punycode", "rot13", "undefined", "idna"])
def test_a_page_that_names_a_foreign_codec_is_read_as_if_it_named_none(declared: str) -> None:
    html = f"<meta charset={declared}><p>{hostile.RUSSIAN}</p>"
    assert extract(html.encode()).main_text == hostile.RUSSIAN.strip()


@given(st.text() | st.text(st.characters(categories=["Cs", "Cc"])))
def test_the_source_of_a_page_can_be_stored_anywhere(html: str) -> None:
    source = parse(html).source
    assert "\0" not in source
    assert source.encode().decode() == source
