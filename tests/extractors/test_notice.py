"""Pages that a site sends instead of an article: the sections of tests/data/notices.html."""

from pathlib import Path

import pytest

from scrapy_webtext import extract
from scrapy_webtext.extractors.notice import KINDS
from scrapy_webtext.registry import JUDGES
from tests.kits.data import read_json

CASES = read_json(__file__, "notice.json")


PAGES = [
    part.partition("\n")[::2]
    for part in Path("tests/data/notices.html").read_text("utf-8").split("\n== ")[1:]
]
PROSE = "<p>The harbour was quiet that morning, and nobody saw the boat leave, said the master.</p>"


@pytest.mark.parametrize(("name", "html"), PAGES, ids=[name for name, _ in PAGES])
def test_a_notice_is_no_article_and_has_its_reason(name: str, html: str) -> None:
    result = extract(html, judge="learned")
    assert result.reason == next(kind for kind in KINDS if name.startswith(kind))
    assert not any(extract(html, judge=judge, threshold=0.0).has_article for judge in JUDGES)
    assert result.article_probability is not None
    assert result.article_probability < 0.1
    assert result.main_text_score is not None
    assert result.main_text_score < 0.3


@pytest.mark.parametrize("html", CASES["articles"])
def test_an_article_with_words_of_a_notice_has_no_reason(html: str) -> None:
    assert extract(html.replace("{PROSE}", PROSE)).reason is None
