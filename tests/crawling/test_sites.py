"""Rules for sites: ``WEBTEXT_SITES`` in a crawl."""

import json
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Request

from scrapy_webtext import extract
from scrapy_webtext.errors import SettingsError, UnknownJudgeError
from tests.crawls.offline import Components
from tests.crawls.site import SENTENCE

BODY = (
    f"<h1>Boats</h1><article><p>{SENTENCE * 9}</p><div class=promo>Join us. {SENTENCE * 9}</div>"
    f"</article><p>Elsewhere. {SENTENCE * 9}</p>"
).encode()


def at(host: str, body: bytes = BODY, **meta: Any) -> HtmlResponse:
    request = Request(f"https://{host}/page", callback=lambda _: None, meta=meta)
    return HtmlResponse(request.url, body=body, request=request)


def test_the_longest_host_has_the_rule_and_inherits_from_those_around_it() -> None:
    crawl = Components(
        FIELDS={"title": "title", "extractor": "by"},
        SITES={
            "example.com": {"within": "article", "extractor": "bte"},
            "blog.example.com": {"without": ".promo"},
            "new.example.com": {"within": "", "extractor": "pvalue"},
        },
    )
    found = {
        host: crawl.item_of(at(host))
        for host in (
            "example.com", "www.blog.example.com", "new.example.com", "myexample.com", "b.example",
        )
    }  # fmt: skip
    has = {
        host: tuple(words in item["main_text"] for words in ("Join us", "Elsewhere"))
        for host, item in found.items()
    }
    assert has == {
        "example.com": (True, False),
        "www.blog.example.com": (False, False),
        "new.example.com": (True, True),
        "myexample.com": (True, True),
        "b.example": (True, True),
    }
    assert [item["by"] for item in found.values()] == ["bte", "bte", "pvalue", "fusion", "fusion"]
    assert {item["title"] for item in found.values()} == {"Boats"}


def test_requests_and_callers_override_the_settings_of_a_site_and_keep_its_selectors() -> None:
    crawl = Components(
        FIELDS={"extractor": "by"},
        SITES={"a.example": {"extractor": "ttr", "without": ".promo", "threshold": 1.0}},
    )
    item = crawl.item_of(at("a.example", webtext={"threshold": 0.0}))
    assert (item["by"], item["has_article"]) == ("ttr", True)
    response = crawl.download(at("a.example"))
    assert not extract(response).has_article
    result = extract(response, extractor="fusion")
    assert (result.extractor, "Join us" in result.main_text) == ("fusion", False)
    result = extract(response, extractor="fusion", within="article")
    assert ("Join us" in result.main_text, "Elsewhere" in result.main_text) == (False, False)
    result = extract(response, extractor="fusion", without="h1")
    assert "Join us" in result.main_text
    assert "Join us" not in extract(response).main_text
    assert "Elsewhere" not in extract(BODY, within="article").main_text


def test_a_site_may_name_files_and_classes_as_settings_do(tmp_path: Path) -> None:
    rules = {"a.example": {"extractor": "tests.crawls.faulty.Shout", "action": "drop_items"}}
    path = tmp_path / "sites.json"
    path.write_text(json.dumps(rules))
    for given in (rules, str(path), json.dumps(rules)):
        item = Components(SITES=given, THRESHOLD=0).item_of(at("a.example"))
        assert "ELSEWHERE" in item["main_text"]


def test_a_file_of_rules_may_begin_with_a_byte_order_mark_and_is_named_in_errors(
    tmp_path: Path,
) -> None:
    path = tmp_path / "sites.json"
    path.write_bytes(b'\xef\xbb\xbf{"a.example": {"within": "article"}}')
    item = Components(SITES=str(path), THRESHOLD=0).item_of(at("a.example"))
    assert "Elsewhere" not in item["main_text"]
    path.write_text('{"a.example": {"within": "article"},' + " " * 5000 + "}")
    with pytest.raises(
        SettingsError, match=r"sites\.json' is not allowed: it must be a dict, or a JSON object: "
    ) as fault:
        Components(SITES=str(path))
    assert len(str(fault.value)) < 500


@pytest.mark.parametrize("host", ["münchen.example", "xn--mnchen-3ya.example"])
def test_a_host_has_its_rule_in_letters_and_in_punycode(host: str) -> None:
    crawl = Components(SITES={host: {"within": "article"}}, THRESHOLD=0)
    for address in ("münchen.example", "www.xn--mnchen-3ya.example", "MÜNCHEN.example"):
        assert "Elsewhere" not in crawl.item_of(at(address))["main_text"], address


def test_a_selector_without_matches_on_20_pages_in_a_row_is_warned_of_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    crawl = Components(SITES={"a.example": {"within": "article, main", "without": ".promo"}})
    for n in range(70):
        crawl.download(at("a.example", BODY if n == 19 else BODY.replace(b"promo", b"other")))
        crawl.download(at("b.example"))
    lines = [record.getMessage() for record in caplog.records if "matches nothing" in record.msg]
    assert lines == [
        f"webtext: WEBTEXT_SITES['a.example']: {css} matches nothing on 20 pages in a row"
        for css in ("main", ".promo")
    ]
    crawl.close()
    assert crawl.stats["webtext/sites/unmatched"] == 2


@pytest.mark.parametrize(("pages", "is_warned"), [(2, False), (3, True), (19, True)])
def test_a_selector_that_never_matches_on_a_small_site_is_warned_of_at_the_end(
    pages: int, is_warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    crawl = Components(
        SITES={"a.example": {"within": "article", "without": ".none, .promo, .late"}}
    )
    for n in range(pages):
        late = BODY if n else BODY.replace(b"promo", b"late")
        crawl.download(at("a.example", late))
    crawl.close()
    lines = [record.getMessage() for record in caplog.records if "matches nothing" in record.msg]
    words = f"webtext: WEBTEXT_SITES['a.example']: .none matches nothing on {pages} pages in a row"
    assert lines == [words] * is_warned


def test_a_host_with_a_port_has_a_rule_of_its_own_and_inherits_from_the_host() -> None:
    rules = {"a.example": {"within": "article"}, "a.example:8000": {"without": ".promo"}}
    crawl = Components(SITES={**rules, "b.example:443": {"within": "article"}}, THRESHOLD=0)
    found = {
        host: tuple(
            words in crawl.item_of(at(host))["main_text"] for words in ("Join us", "Elsewhere")
        )
        for host in ("a.example", "www.a.example:8000", "a.example:1", "b.example", "b.example:1")
    }
    assert found == {
        "a.example": (True, False),
        "www.a.example:8000": (False, False),
        "a.example:1": (True, False),
        "b.example": (True, False),
        "b.example:1": (True, True),
    }


@pytest.mark.parametrize(
    ("sites", "error", "words"),
    [
        ({"a.b": {"within": "a["}}, SettingsError, r"WEBTEXT_SITES\['a.b'\]: within = 'a\['"),
        ({"a.b": {"wthin": "a"}}, SettingsError, r"Unknown key 'wthin' in WEBTEXT_SITES\['a.b'\]"),
        ({"a.b": {"judge": "no"}}, UnknownJudgeError, r"WEBTEXT_SITES\['a.b'\]: judge: .*'no'"),
        ({"a.b": 3}, SettingsError, r"WEBTEXT_SITES\['a.b'\] = 3"),
        ({"https://a.b": {}}, SettingsError, "'https://a.b': it must be a host"),
        ("no.json", SettingsError, "'no.json' cannot be read"),
        ('{"a.b": {},}', SettingsError, "WEBTEXT_SITES is not allowed: it must be a dict"),
        ('{"a.b": {}, "a.b": {}}', SettingsError, "the key 'a.b' is there twice"),
        ('{"a":' * 100_000, SettingsError, "WEBTEXT_SITES is not allowed: it must be a dict"),
    ],
)
def test_wrong_rules_are_refused_at_the_start(
    sites: object, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Components(SITES=sites)
