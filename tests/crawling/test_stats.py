"""The sums that the stats hold, over random crawls, and the line that closes a crawl."""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import scrapy

import scrapy_webtext
from scrapy_webtext.crawling import responses
from scrapy_webtext.crawling.stats import OUTCOMES, PREFIX, closing_line
from scrapy_webtext.reader import PageReader
from tests.kits.processes import report_of

CRAWLS, PAGES = 12, 100
LOOPS = ["asyncio", "select"] + (["reactorless"] if scrapy.version_info >= (2, 15) else [])


@pytest.fixture(scope="module", params=LOOPS)
def report(request: pytest.FixtureRequest) -> Any:
    loop = request.param
    found = report_of("tests.crawls.random_crawls", loop, str(CRAWLS), str(PAGES), "3")
    return {**found, "loop": loop}


@pytest.fixture(scope="module")
def crawls(report: Any) -> Any:
    return report["crawls"]


def total(report: dict[str, Any], *prefixes: str) -> int:
    stats = report["stats"].items()
    return sum(int(number) for name, number in stats if name.startswith(prefixes))


def test_every_item_gets_the_text_of_its_own_page(crawls: Any) -> None:
    for report in crawls:
        counts = report["counts"]
        assert counts.get("wrong text", 0) == 0
        assert report["stats"].get("webtext/items/unbound", 0) == counts.get("unbound", 0)
        assert report["left"] == 0


def test_crawlers_are_freed(report: Any) -> None:
    assert report["crawlers"] == 0 or report["loop"] == "select"  # which keeps them itself


def test_every_response_and_every_item_has_one_outcome(crawls: Any) -> None:
    assert len(crawls) == CRAWLS
    items = [f"webtext/items/{name}" for name in OUTCOMES]
    pages = [f"webtext/responses/{n}" for n in ("article", "not_article", "failed", "skipped/")]
    for report in crawls:
        counts, dropped = report["counts"], total(report, "webtext/items/dropped")
        assert total(report, *items) == total(report, "webtext/items/seen") == counts["before"]
        assert counts["after"] == counts["before"] - dropped == total(report, "item_scraped_count")
        assert total(report, "item_dropped_reasons_count/NoArticle") == dropped
        assert total(report, *pages) == total(report, "response_received_count") == PAGES
    assert not [name for name in items if not any(name in report["stats"] for report in crawls)]
    errors = {name for report in crawls for name in report["stats"] if "webtext/errors/" in name}
    raised = {"SettingsError", "OSError", "LookupError", "ArithmeticError"}
    assert errors == {f"webtext/errors/{name}" for name in raised}


def test_the_closing_line_names_what_happened_and_nothing_else() -> None:
    skips = {f"webtext/responses/skipped/{reason}": 2 for reason in ("meta", "status")}
    assert " 4 skipped; " in closing_line(skips, "pvalue")
    skips.popitem()
    assert " 2 skipped: meta; " in closing_line(skips, "pvalue")
    assert closing_line({}, "learned") == (
        "webtext: 0 pages judged by learned, 0 with an article; 0 items filled; 0 errors"
    )
    stats = {
        "webtext/responses/article": 2,
        "webtext/responses/not_article": 1,
        "webtext/responses/skipped/not_html": 3,
        "webtext/responses/skipped/meta": 1,
        "webtext/responses/ignored": 1,
        "webtext/items/filled": 2,
        "webtext/items/unfilled": 4,
        "webtext/errors/ValueError": 2,
    }
    assert closing_line(stats, "pvalue") == (
        "webtext: 3 pages judged by pvalue, 2 with an article, 4 skipped: 3 not_html, 1 ignored; "
        "2 items filled, 4 unfilled; 2 errors"
    )


SETTINGS = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
#: Stat without its prefix -> its meaning.
STATS = dict(re.findall(r"^- `webtext/(\S+)`: (.+)$", SETTINGS, re.MULTILINE))
PACKAGE = Path(scrapy_webtext.__file__).parent
SOURCE = "".join(
    path.read_text("utf-8")
    for folder in ("", "crawling", "sitecrawl", "commands")
    for path in (PACKAGE / folder).glob("*.py")
)


def test_stats_and_their_descriptions_agree(crawls: Any) -> None:
    described = tuple(name.partition("<")[0] for name in STATS)
    names = {name for report in crawls for name in report["stats"] if name.startswith(PREFIX)}
    assert not [name for name in names if not name.removeprefix(PREFIX).startswith(described)]
    written = re.findall(r'"(?:webtext/)?((?:responses|items|sites|crawl)/\w*)', SOURCE)
    assert len(set(written)) > 15
    assert not [
        w for w in written if not any(w.startswith(n) or n.startswith(w) for n in described)
    ]
    last = [name.rpartition("/")[2] for name in STATS if "<" not in name]
    assert not [name for name in last if not re.search(rf'["/]{name}"', SOURCE)]
    source = inspect.getsource(responses) + inspect.getsource(PageReader.skip)
    reasons = set(re.findall(r'return "(\w+)"', source))
    assert {"head", "status", "too_large"} < reasons
    assert not [r for r in reasons if f"`{r}`" not in STATS["responses/skipped/<reason>"]]
