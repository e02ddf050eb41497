"""A second extractor for pages with a low score: ``WEBTEXT_FALLBACK``."""

from typing import Any

import pytest

from scrapy_webtext import extract
from scrapy_webtext.errors import SettingsError, UnknownExtractorError
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction
from tests.crawls.offline import ARTICLE, LINKS, Components, response_of


class Empty:
    name = "empty"

    def extract(self, page: Page) -> Extraction:
        return Extraction("", 0.0, "empty")


@pytest.mark.parametrize("executor", ["inline", "thread"])
def test_only_pages_with_a_low_score_get_the_second_extractor(executor: str) -> None:
    crawl = Components(
        FALLBACK={"extractor": "ttr", "below": 0.7}, FIELDS={"extractor": "by"}, EXECUTOR=executor
    )
    assert extract(crawl.download(response_of(ARTICLE))).extractor == "fusion"
    assert extract(crawl.download(response_of(LINKS))).extractor == "ttr"
    stats = crawl.stats
    assert (stats["webtext/fallback/pages"], stats["webtext/fallback/taken"]) == (1, 1)
    assert 0 < stats["webtext/seconds/fallback"] < stats["webtext/seconds/extraction"]


def test_a_second_extractor_without_a_text_leaves_that_of_the_first() -> None:
    crawl = Components(FALLBACK={"extractor": Empty, "below": 1})
    assert extract(crawl.download(response_of(LINKS))).extractor == "fusion"
    assert crawl.stats["webtext/fallback/pages"] == 1
    assert "webtext/fallback/taken" not in crawl.stats


def test_a_fault_of_the_second_extractor_is_a_fault_of_the_page() -> None:
    crawl = Components(FALLBACK={"extractor": "tests.crawls.faulty.Failing", "below": 1})
    assert extract(crawl.download(response_of(LINKS))).status == "failed"
    assert len(crawl.errors) == 1


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"below": 0.5}, SettingsError, "WEBTEXT_FALLBACK = .* name an extractor"),
        ({"extractor": "no"}, UnknownExtractorError, "WEBTEXT_FALLBACK: .*'no'"),
        ({"extractor": "bte", "below": 2}, SettingsError, r"WEBTEXT_FALLBACK\['below'\] = 2"),
        ({"extractor": "bte", "blow": 2}, SettingsError, "WEBTEXT_FALLBACK has the key 'blow'"),
        ({"extractor": "bte", "options": {"x": 1}}, SettingsError, "WEBTEXT_FALLBACK: .*'x'"),
    ],
)
def test_a_wrong_fallback_is_refused_at_the_start(
    given: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Components(FALLBACK=given)
