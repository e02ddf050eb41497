"""The language of an article as a BCP 47 tag."""

import sys

import pytest

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.metadata import language
from scrapy_webtext.metadata.language import detect_language, language_tag
from tests.kits import hostile
from tests.metadata.pages import read, story, value


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("en", "en"), ("EN_us", "en-US"), ("de_DE.UTF-8", "de-DE"), ("zh-hant-TW", "zh-Hant-TW"),
        ("English", "en"), ("jp", "ja"), ("es-419", "es-419"), ("pt-br, en", "pt-BR"),
        ("", ""), ("x", ""), ("und", ""), ("a sentence of words", ""), ("<b>", ""), ("0", ""),
    ],
)  # fmt: skip
def test_tags_are_written_as_bcp_47_has_them(written: str, tag: str) -> None:
    assert language_tag(written) == tag


def test_the_root_says_it_first() -> None:
    page = story('<meta property="og:locale" content="en_US">', lang="en-gb")
    assert read(page, "language").language == "en-GB"
    assert value(story('<meta property="og:locale" content="en_US">'), "language") == "en-US"


def test_a_templates_language_is_not_that_of_a_text_in_other_letters() -> None:
    russian = f"<html lang=en><title>x</title><p>{hostile.RUSSIAN}</p><p>{hostile.RUSSIAN}</p>"
    assert value(russian, "language") in (None, "ru")
    assert value(russian.replace("lang=en", "lang=uk"), "language") == "uk"


def test_letters_that_one_language_has_tell_it() -> None:
    assert value(f"<p>{hostile.JAPANESE}</p>", "language") == "ja"
    assert value(f"<p>{hostile.CHINESE}</p>", "language") == "zh"


def test_the_package_that_tells_other_languages_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py3langid", None)
    language._classifier.cache_clear()
    with pytest.raises(MissingExtraError, match=r"'\.\[language\]'"):
        detect_language(hostile.SENTENCE * 3)
    language._classifier.cache_clear()
