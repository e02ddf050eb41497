"""Figures of sites from crawl to crawl: ``WEBTEXT_SITE_STATS``."""

import json
import logging
from pathlib import Path
from random import Random

import pytest
from scrapy.http import HtmlResponse, Request

from scrapy_webtext.crawling.memory import SiteStats
from scrapy_webtext.errors import SettingsError
from tests.crawls.offline import Components
from tests.kits.hostile import RUSSIAN, SENTENCE

WALL = (
    f"<h1>Before you go on</h1>{f'<p>We and our partners value your privacy. {SENTENCE}</p>' * 5}"
)
GONE = "<h1>Page not found</h1><p>We are sorry, the page that you asked for is not here.</p>"


def story(number: int, sentence: str = SENTENCE, paragraphs: int = 12) -> str:
    """An article, somewhat longer or shorter than others."""
    random = Random(number)
    parts = [f"<p>{number}-{k}. {sentence * random.randint(2, 4)}</p>" for k in range(paragraphs)]
    menu = "".join(f"<li><a href=/{k}>Section {k}</a>" for k in range(8))
    return f"<ul>{menu}</ul><article><h1>News {number}</h1>{''.join(parts)}</article>"


#: Host -> function from a number to a page of the second crawl, and the expected message or "".
SECOND = {
    "same": (story, ""),
    "template": (lambda n: story(n, paragraphs=2), "median length"),
    "consent": (lambda _: WALL, "repeated texts 0% -> "),
    "scripts": (lambda _: "<div id=app></div><script>start()</script>", "empty texts 0% -> 100%"),
    "language": (lambda n: story(n, RUSSIAN), "language en -> ru"),
    "missing": (lambda _: GONE, "articles 100% -> 0% of pages"),
    "shorter": (lambda n: story(n, paragraphs=9), ""),
    "few": (lambda _: WALL, ""),
}


def crawl(path: Path, pages: int, is_second: bool) -> Components:
    components = Components(SITE_STATS=str(path), JUDGE="learned")
    for host, (make, _) in SECOND.items():
        for n in range(pages if host != "few" else 6):
            body = make(n) if is_second else story(n)
            request = Request(f"https://{host}/{n}", callback=lambda _: None)
            lang = "ru" if is_second and host == "language" else "en"
            html = f"<html lang={lang}><body>{body}</body></html>".encode()
            components.item_of(HtmlResponse(request.url, body=html, request=request))
    components.close()
    return components


def test_sites_that_changed_are_named_and_no_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "sites.json"
    crawl(path, 20, is_second=False)
    row = json.loads(path.read_text())["same"]
    assert (row["pages"], row["articles"], row["texts"], row["empty"]) == (20, 1.0, 20, 0.0)
    assert row["language"] == "en"
    with caplog.at_level(logging.WARNING):
        again = crawl(path, 25, is_second=False)
        assert "has changed" not in caplog.text
        assert "webtext/sites/changed" not in again.stats
        second = crawl(path, 20, is_second=True)
    for host, (_, words) in SECOND.items():
        lines = [line for line in caplog.messages if f"webtext: {host} has changed" in line]
        assert len(lines) == bool(words), host
        assert words in "".join(lines)
    assert second.stats["webtext/sites/changed"] == sum(bool(words) for _, words in SECOND.values())
    rows = json.loads(path.read_text())
    assert rows["scripts"]["empty"] == 1.0
    assert rows["few"]["pages"] == 6
    assert [one.name for one in tmp_path.iterdir()] == ["sites.json"]


def test_a_site_that_is_not_met_keeps_its_figures(tmp_path: Path) -> None:
    path = tmp_path / "sites.json"
    crawl(path, 12, is_second=False)
    before = path.read_text()
    Components(SITE_STATS=str(path)).close()
    assert path.read_text() == before


def test_the_median_is_near_and_memory_bounded_over_many_pages_and_sites(tmp_path: Path) -> None:
    stats = SiteStats(str(tmp_path / "sites.json"))
    for n in range(20_000):
        stats.judged("a.example", True)
        language = "en-GB" if n % 3 else "ru"
        stats.extracted("a.example", "x" * (n % 1000), n % 10 / 16, language, n % 4 == 0)
        stats.judged(f"{n}.example", True)
    stats.store()
    rows = json.loads((tmp_path / "sites.json").read_text())
    assert len(rows) == 1000
    row = rows["a.example"]
    assert abs(row["chars"] - 500) < 60
    assert abs(row["score"] - 4.5 / 16) < 0.05
    assert (row["language"], row["repeated"], row["empty"]) == ("en", 0.25, 0.001)


def test_a_wrong_file_is_refused_and_a_fault_of_writing_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "sites.json"
    for content in ("[]", '{"a": 1}', "no"):
        path.write_text(content)
        with pytest.raises(SettingsError, match=r"WEBTEXT_SITE_STATS = .*Error: .*: name a new"):
            Components(SITE_STATS=str(path))
    with pytest.raises(SettingsError, match="there is no folder"):
        Components(SITE_STATS=str(tmp_path / "no" / "sites.json"))
    folder = tmp_path / "gone"
    folder.mkdir()
    components = Components(SITE_STATS=str(folder / "sites.json"))
    folder.rmdir()
    components.close()
    assert "could not be written" in caplog.text
    assert components.errors == {"webtext/errors/InputError": 1}
