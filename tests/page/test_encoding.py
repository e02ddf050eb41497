"""Decoding of bodies as Scrapy decodes them, characters that are stored, and counts of words."""

import encodings
import pkgutil
import sys
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

from scrapy_webtext import extract
from scrapy_webtext.core.texts import is_utf8
from scrapy_webtext.core.words import count_words
from scrapy_webtext.crawling.responses import read_page
from scrapy_webtext.page import parse
from scrapy_webtext.page.encoding import (
    decode,
    encode,
    is_foreign_codec,
    is_html,
    storable_text,
    to_utf8,
    wide_encoding,
)
from scrapy_webtext.reader import PageReader
from scrapy_webtext.results import Extraction
from tests.kits import hostile
from tests.kits.data import read_json
from tests.kits.laws import FORBIDDEN_BY_XML

CASES = read_json(__file__, "encoding.json")


TEXT = "<p>Grüße aus Köln, 5 €"
CHARSETS = "utf-8|UTF8; x=y|iso-8859-1|windows-1252|gb2312|shift_jis|no-such-encoding|".split("|")
HEADERS = [None, "text/html", *(f"text/html; charset={name}" for name in CHARSETS)]
DECLARATIONS = ["", "<meta charset=utf-8>", "<meta charset=latin-1>", "<meta charset=big5>"]


def response(body: bytes, content_type: str | None) -> HtmlResponse:
    headers = {"Content-Type": content_type} if content_type else {}
    return HtmlResponse("https://example.com", body=body, headers=headers)


@pytest.mark.parametrize("content_type", HEADERS)
def test_a_body_is_decoded_as_scrapy_does(content_type: str | None) -> None:
    for declaration in DECLARATIONS:
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
            body = (declaration + TEXT).encode(encoding)
            assert decode(body, content_type) == response(body, content_type).text
            fixed = read_page(response(body, content_type), PageReader.of()).source
            assert to_utf8(body, content_type).decode() == fixed


#: A text, its encoding, and what the page says of its encoding and language.
MISLABELLED = CASES["mislabelled"]


@pytest.mark.parametrize(("text", "encoding", "declared", "language"), MISLABELLED)
def test_an_encoding_declared_wrongly_or_not_is_repaired_everywhere(
    text: str, encoding: str, declared: str | None, language: str
) -> None:
    menu = "<ul><li class='nav-link'><a href='/section/index.html'>Section</a></ul>" * 200
    meta = f"<meta charset={declared}>" if declared else ""
    html = f"<html lang='{language}'><head>{meta}</head><body>{menu}<p>{text}</p>{menu}"
    body, header = html.encode(encoding), f"text/html; charset={declared}" if declared else None
    assert to_utf8(body, header).decode() == html
    assert text in parse(body).blocks.text
    for content_type in (None, header):
        assert read_page(response(body, content_type), PageReader.of()).source == html


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        ("A café — and 10 others".encode() + b"\xe9", "utf-8"),
        ("联通".encode("gbk"), "gbk"),
        ("<p>¡Olé! Año, ¿qué? ÀÉÎ</p> and a text in Latin letters".encode("cp1252"), "latin-1"),
        ("Паром на острова".encode("cp1251"), "cp1251"),
        ("北の島へ渡る".encode("shift_jis") + b"\xff", "shift_jis"),
    ],
)
def test_an_encoding_that_may_be_right_is_kept(body: bytes, declared: str) -> None:
    content_type = f"text/html; charset={declared}"
    assert to_utf8(body, content_type).decode() == decode(body, content_type)


@given(st.binary(max_size=60), st.sampled_from(HEADERS))
@example(b"\xef\xbb\xbf\xff", "text/html; charset=utf-16")
@example(b"\x81\x8d", None)
def test_any_bytes_are_decoded_as_scrapy_does(body: bytes, content_type: str | None) -> None:
    assume(wide_encoding(body) is None)
    assert decode(body, content_type) == response(body, content_type).text


def test_latin_1_that_is_utf_8_is_named_by_header_or_page() -> None:
    body = TEXT.encode()
    assert decode(body, "text/html; charset=iso-8859-1") != TEXT
    assert to_utf8(body, "text/html; charset=iso-8859-1") == body
    assert to_utf8(b"<meta charset=iso-8859-1>" + body).endswith(body)


def test_html_is_known_by_its_type_or_its_beginning() -> None:
    assert is_html(b"<p>x", "text/html")
    assert is_html(b"<p>x", "Application/XHTML+XML; charset=utf-8")
    assert is_html(b"\xef\xbb\xbf \n<!DOCTYPE html>", None)
    assert is_html(b"<article>", " ")
    assert not is_html(b"<html>", "text/plain")
    assert is_html(b"<p>x", "text/html charset=utf-8")
    assert is_html(b"<p>x", 'text/html, text/html; profile="a,b"')
    assert is_html(b"<p>x", "html") is is_html(b"<p>x", "unknown/unknown") is True
    assert is_html("<p>x".encode("utf-16-be"), None)
    assert not is_html(b"<p>x", "text/html, application/json")
    assert not is_html(b"%PDF", None)
    assert not is_html(b"", None)


def test_a_page_may_name_any_codec_of_python() -> None:
    for codec in {module.name for module in pkgutil.iter_modules(encodings.__path__)}:
        html = f"<meta charset={codec}><p>{hostile.SENTENCE}\\ud800</p>"
        assert parse(html.encode()).source.encode()
        assert decode(html.encode() + b"\xff\xfe\x00\xd8-")


def test_codecs_that_are_no_encodings_of_the_web_are_foreign() -> None:
    foreign = "idna punycode UTF_7 hex unicode_escape nothing cp037 IBM500".split()
    of_the_web = "utf-8 gb18030 cp1251 koi8-r shift_jis utf-16 utf-32-be".split()
    assert [name for name in [*foreign, *of_the_web] if is_foreign_codec(name)] == foreign


#: Controls, fillers, invisible operators, notes between lines, and the plane of tags.
UNSEEN = {
    *range(0x7F, 0x85), *range(0x86, 0xA0), 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164,
    *range(0x2061, 0x2065), *range(0x206A, 0x2070), 0xFFA0, *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0100), *range(0xE01F0, 0xE1000),
}  # fmt: skip


@pytest.mark.parametrize(("text", "seen"), CASES["hidden messages"])
def test_characters_that_hide_a_message_are_removed_and_others_stay(
    text: str, seen: str | None
) -> None:
    right = text if seen is None else seen
    assert storable_text(text) == storable_text(right) == right
    result = extract(f"<title>{text}</title><p>{text}</p>", include="all")
    assert (result.main_text, result.title) == (right, right)
    assert f">{right}</" in str(result.main_html)


def test_of_all_characters_those_stay_that_xml_has() -> None:
    for char in map(chr, range(sys.maxunicode + 1)):
        stored = storable_text(char)
        is_kept = not FORBIDDEN_BY_XML.search(char) and ord(char) not in UNSEEN
        assert stored == char if is_kept else stored in ("", " ", "?")
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    for text in (storable_text(every), Extraction(every, 1.0, "mine").text, parse(every).source):
        assert text.encode().decode() == text
        assert "\0" not in text


@pytest.mark.parametrize(("text", "stored"), CASES["stored"])
def test_characters_that_part_words_leave_a_blank(text: str, stored: str) -> None:
    assert storable_text(text) == Extraction(text, 1.0, "mine").text == stored


def test_words_are_counted_without_spaces_too() -> None:
    cases = read_json(__file__)["words by the characters of a word without spaces"]
    assert {text: {n: count_words(text, int(n)) for n in cases[text]} for text in cases} == cases


@pytest.mark.parametrize("wide", ["\x7f", "\x80\xff", "\u07ff\u0800\uffff", "\U00010000\U0010ffff"])
def test_a_source_of_any_width_is_encoded_as_python_does(wide: str) -> None:
    for ascii_before in (0, 1, 31, 32, 70):
        source = "<" * ascii_before + wide + "a" * 40 + wide
        assert encode(source) == source.encode()
        assert encode(f"{source}\ud800") == source.encode() + b"?"


def test_html_is_encoded_without_nul_and_lone_surrogates() -> None:
    assert encode("<p>a\0\ud800é") == "<p>a?é".encode()


EDGES = [0, 1, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFC, 0xFFFD, 0xFFFE, 0x10000, 0x10FFFF]
PIECES = [
    *(chr(char).encode() for char in EDGES),
    *(
        bytes([byte])
        for byte in (0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF)
    ),
    b"\xed\xa0\x80",  # a surrogate
    b"\xc0\xaf",  # longer than needed
    b"\xf4\x90\x80\x80",  # beyond Unicode
]


@pytest.mark.parametrize("ascii_before", [0, 1, 7, 63, 64, 70])
def test_utf_8_is_known_as_python_decodes_it(ascii_before: int) -> None:
    for one, other in product(PIECES, repeat=2):
        for body in (
            b"<" * ascii_before + one + other,
            one + b"<" * ascii_before + other + b"<" * 40,
        ):
            with suppress(UnicodeDecodeError):
                assert is_utf8(body) == ("\0" not in body.decode()), body
                continue
            assert not is_utf8(body), body


def test_a_byte_order_mark_counts_more_than_the_encoding_of_the_response() -> None:
    body = b"\xff\xfe" + "漢字".encode("utf-16-le")
    for uses in (False, True):
        wide = HtmlResponse("https://example.com", body=body, encoding="utf-8")
        if uses:
            wide.css("p")
        assert read_page(wide, PageReader.of()).source == "漢字"


@given(st.binary(max_size=60), st.sampled_from(HEADERS))
@example(b"\xef\xbb\xbf<p>", "text/html; charset=utf-8")
@example(b"\xef\xbb\xbf\xef\xbb\xbf<p>\xe9", "text/html; charset=utf-8")
def test_a_body_is_decoded_alike_in_a_crawl_and_outside(
    body: bytes, content_type: str | None
) -> None:
    page = read_page(response(body, content_type), PageReader.of())
    assert page.source == to_utf8(body, content_type).decode()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("declared", [None, "text/html; charset=utf-8"])
def test_utf_16_without_a_mark_is_known_by_its_zeros(encoding: str, declared: str | None) -> None:
    html = "<title>猫</title><p>" + "漢字 café " * 99
    assert decode(html.encode(encoding), declared) == html
    assert to_utf8(html.encode(encoding), declared) == html.encode()
    assert extract(response(html.encode(encoding), declared)).main_text == extract(html).main_text
    reader = PageReader.of(max_elements=10)
    assert reader.skip(("<p>x" * 11).encode(encoding)) == "too_many_elements"


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", None])
def test_valid_utf_8_with_replacement_characters_stays(encoding: str | None) -> None:
    html = "<p>" + "café isn\ufffdt it\ufffds \ufffd " * 20
    declared = f"text/html; charset={encoding}" if encoding else None
    assert to_utf8(html.encode(), declared) == html.encode()
    one = response(html.encode(), declared)
    for _ in ("", one.css("title")):
        assert "caf\u00e9 isn\ufffdt" in extract(one).main_text


def test_controls_of_latin_1_are_letters_of_windows_1252_in_text_and_bytes() -> None:
    html = "<title>It\x92s</title><p>\x93One\x94 \x80 5 \x81\x85 caf\u00e9</p>"
    right = "<title>It’s</title><p>“One” € 5 … caf\u00e9</p>".encode()
    assert to_utf8(html) == to_utf8(html.encode()) == right
    one = response(html.encode(), "text/html; charset=utf-8")
    assert one.css("title")
    assert extract(one).main_text == extract(right).main_text
