"""What becomes text is taken by feeds, files and databases."""

import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import extract
from scrapy_webtext.page.encoding import storable_text
from scrapy_webtext.registry import EXTRACTORS
from scrapy_webtext.results import Extraction
from tests.kits import hostile
from tests.kits.laws import FORBIDDEN_BY_XML

HALF = "\ud83d"


def test_of_all_characters_those_stay_that_xml_has() -> None:
    for n in range(sys.maxunicode + 1):
        text = storable_text(chr(n))
        if FORBIDDEN_BY_XML.search(chr(n)):
            assert text in ("", " ", "?")
        else:
            assert text == chr(n)


def test_characters_that_part_words_leave_a_blank() -> None:
    assert storable_text("one\x0btwo\x0cthree\x1ffour") == "one two three four"
    assert storable_text("a\x00b\x1b[31mc\x07") == "ab[31mc"
    assert storable_text(f"smile {HALF}") == "smile ?"
    assert storable_text("smile \U0001f600\tand\nsmile") == "smile \U0001f600\tand\nsmile"


@pytest.mark.parametrize("fill", ["a", "é", "漢", "\U0001f600"])
def test_one_forbidden_character_is_found_wherever_it_stands(fill: str) -> None:
    for place in range(100):
        for forbidden in ("\x01", "\ufffe", "\uffff"):
            assert storable_text(fill * place + forbidden + fill * 50) == fill * (place + 50)


def test_a_text_of_a_class_of_its_own_is_read_as_others() -> None:
    class Own(str):
        __slots__ = ()

    assert storable_text(Own("one")) == "one"
    assert storable_text(Own("one\x0btwo")) == "one two"


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_can_be_written_as_utf_8_and_as_xml(text: str) -> None:
    element = ElementTree.Element("text")
    element.text = storable_text(text)
    ElementTree.fromstring(ElementTree.tostring(element, encoding="utf-8"))


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_escapes_and_controls_of_a_page_do_not_reach_its_text(extractor: str) -> None:
    odd = "\x1b[31m &#27;[0m &#7; \x07 &#x1; \ufffe &#xffff; " + HALF
    html = hostile.page(f"<article>{hostile.ARTICLE}<p>{odd + hostile.SENTENCE * 3}</p></article>")
    text = extract(html, extractor=extractor).main_text
    assert not FORBIDDEN_BY_XML.search(text)
    assert hostile.SENTENCE.strip() in text


def test_whoever_extracts_the_text_is_one_that_feeds_take() -> None:
    assert Extraction(f"a\x00b{HALF}", 1.0, "mine").text == "ab?"
