"""`scrapy webtext crawl`: the articles of a site, a sitemap, a feed; limits, jobs, its report."""

import csv
import json
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from scrapy.http import XmlResponse

from scrapy_webtext.sitecrawl.spider import read_source
from tests.commands import COMMAND, ENVIRONMENT, process
from tests.commands.crawl_site import NOT_FOLLOWED, STORIES, crawl_site
from tests.crawls.site import ANSWERS, SENTENCE, Answer, Site

#: Autothrottle waits a second before it knows a server.
QUICK = ("-s", "AUTOTHROTTLE_START_DELAY=0.01")


class Crawled(NamedTuple):
    rows: list[dict[str, Any]]
    counts: dict[str, int]  #: of the table on standard error
    stderr: str


Crawl = Callable[..., Crawled]


@pytest.fixture
def site() -> Iterator[Site]:
    with crawl_site() as site:
        yield site


@pytest.fixture
def crawl(site: Site, tmp_path: Path) -> Crawl:
    """Crawl from a path of the site into a file of JSON lines."""

    def run(path: str, *args: str, status: int = 0, output: str = "out.jsonl") -> Crawled:
        source = site.url + path if path.startswith("/") else path
        done = process(["crawl", source, "-o", output, *QUICK, *args], cwd=tmp_path)
        assert (done.returncode, done.stdout) == (status, ""), done.stderr
        file = tmp_path / output
        rows = lines(file) if output.endswith(".jsonl") and file.exists() else []
        return Crawled(rows, counts(done.stderr), done.stderr)

    return run


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def stories(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(row["url"].rpartition("/news/")[2] for row in rows)


def counts(table: str) -> dict[str, int]:
    found = re.findall(r"^(\S.*?) +(\d+)$", table, re.M)
    return {words: int(number) for words, number in found}


def test_the_articles_of_a_site_are_kept_once_each(site: Site, crawl: Crawl) -> None:
    found = crawl("/")
    assert stories(found.rows) == sorted(STORIES)
    assert list(found.rows[0]) == [
        "url", "title", "authors", "published", "modified", "language",
        "main_text", "main_text_score", "article_probability",
    ]  # fmt: skip
    assert all(row["main_text"] and row["title"] for row in found.rows)
    assert all(row["article_probability"] >= 0.5 for row in found.rows)
    expected = {
        "articles kept": len(STORIES),
        "copies of what was kept": 1,
        "answered with an error": 1,
        "forbidden by robots.txt": 1,
        "links to other sites": 1,
    }
    assert {words: found.counts[words] for words in expected} == expected
    assert re.search(r"^time +0:\d\d$", found.stderr, re.M)
    assert not {*NOT_FOLLOWED, "/private/1"} & set(site.asked)
    assert site.asked[0] == "/robots.txt"
    assert f"/news/{STORIES[1]}" in site.asked  # without the parameter of the referring page
    assert site.asked.count("/") == 1


def test_sitemaps_and_feeds_are_read_and_give_dates_to_pages_without(
    site: Site, crawl: Crawl
) -> None:
    sources = ("/atom", "/robots.txt", "/rss")  # the entries of the first have no dates
    own, sitemap, feed = found = [crawl(source, "--overwrite").rows for source in sources]
    assert [stories(rows) for rows in found] == [sorted(STORIES)] * 3
    assert "/more" not in site.asked
    assert {row["modified"] for row in own} == {None}
    assert {row["modified"] for row in sitemap} == {"2025-06-03"}
    dates = {row["url"]: row["published"] for row in own}
    assert None not in dates.values()
    assert {row["url"]: row["published"] for row in feed} == dates


def test_a_crawl_warns_of_nothing_and_starts_no_server(crawl: Crawl) -> None:
    log = crawl("/rss", "--pages", "1", "-L", "INFO", status=2).stderr
    assert "Enabled extensions" in log
    assert not re.findall(r".*(?:Warning|TelnetConsole|RemoteControl).*", log)


def test_a_host_is_asked_for_its_sitemaps_and_feeds_and_stays_on_its_site(
    site: Site, crawl: Crawl
) -> None:
    one, two, three, *_ = STORIES
    link = "<link rel=alternate type=application/{} href={}>"
    front = (
        link.format("rss+xml", "http://[")
        + link.format("feed+json", "/feed")
        + link.format("json", "/api")
        + link.format("rss+xml", "/off")  # a dead feed that the site names is no failure
        + "<p>News"
    )
    site.answers["/"] = Answer(front.encode())
    site.answers["/off"] = Answer(b"The feed is off", "text/plain")
    entries = [{"url": f"/news/{two}"}, {"id": f"{site.url}/news/{three}"}, {"url": "http://["}, 3]
    feed = {"version": "https://jsonfeed.org/version/1.1", "items": entries}
    site.answers["/feed"] = Answer(json.dumps(feed).encode(), "application/feed+json")
    robots = "Sitemap: http://[\nsitemap: /s.xml\nSitemap: http://elsewhere.invalid/s.xml"
    site.answers["/robots.txt"] = Answer(robots.encode(), "text/plain")
    places = (f"{site.url}/news/{one}", "http://elsewhere.invalid/page")
    urls = "".join(f"<url><loc>{place}</loc></url>" for place in places)
    site.answers["/s.xml"] = Answer(f"<urlset>{urls}</urlset>".encode(), "text/xml")
    found = crawl("/")
    assert stories(found.rows) == sorted([one, two, three])
    assert found.counts["links to other sites"] == 2
    assert "not reached" not in found.counts
    assert "/api" not in site.asked
    assert "/off is no web page, sitemap or feed" in found.stderr
    assert crawl("/", "--depth", "1", output="near.jsonl", status=2).rows == []


def test_chunks_are_rows_by_section_with_their_place_in_the_text(crawl: Crawl, site: Site) -> None:
    text = f"<p>{SENTENCE * 3}</p>" * 3
    body = f"{text}<h2>What the storm left</h2>{text}"
    story = f"<title>Story</title><article><h1>Story</h1>{body}</article>"
    site.answers["/"] = Answer(story.encode())
    rows = crawl("/", "--chunks", "300", "--pages", "1", "--fields", "url,main_text,title").rows
    assert list(rows[0]) == ["url", "title", "section", "text", "start", "end"]
    assert {tuple(row["section"]) for row in rows} == {(), ("What the storm left",)}
    assert all(0 < len(row["text"]) == row["end"] - row["start"] <= 300 for row in rows)
    assert "".join(row["text"] for row in rows).replace(" ", "").count("harbour") == 18


@pytest.mark.parametrize(
    "content", ["{", "{}", '{"version": 1, "items": {}}', '{"a":' * 100_000, "{" + " " * (5 << 20)]
)
def test_other_json_and_large_json_is_no_feed(content: str) -> None:
    response = XmlResponse("https://a.example/", body=content.encode())
    assert read_source(response, 0).kind is None


def test_the_next_pages_of_an_article_are_in_its_row_and_no_rows(site: Site, crawl: Crawl) -> None:
    site.answers.update({path: one for path, one in ANSWERS.items() if path.startswith("/parts")})
    found = crawl("/parts", "-s", "WEBTEXT_NEXT_PAGES=2")
    assert [row["url"] for row in found.rows] == [f"{site.url}/parts"]
    assert all(f"Part {n}, 4." in found.rows[0]["main_text"] for n in (1, 2, 3))
    further = sorted(path for path in site.asked if "page=" in path)
    assert further == ["/parts?page=2", "/parts?page=3"]


def test_csv_has_the_columns_of_the_option(crawl: Crawl, tmp_path: Path) -> None:
    name = "news:100% %(name)s.csv"
    crawl("/rss", "--fields", "title,url,has_article", output=name)
    with (tmp_path / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["title", "url", "has_article"]
    assert stories(rows) == sorted(STORIES)
    assert {row["has_article"] for row in rows} == {"True"}


def test_standard_output_gets_json_lines_after_its_content(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text("{}\n")
    with path.open("a") as file:
        process(["crawl", site.url + "/rss", *QUICK], stdout=file)
    there, *rows = lines(path)
    assert there == {}
    assert stories(rows) == sorted(STORIES)


@pytest.mark.parametrize("pages", [1, 3])
def test_a_crawl_ends_after_the_limit_of_pages(site: Site, crawl: Crawl, pages: int) -> None:
    at_once = ("-s", "CONCURRENT_REQUESTS=16", "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=16")
    found = crawl("/", "--all-pages", "--pages", str(pages), *at_once)
    assert found.counts["pages read"] == pages
    assert len(found.rows) <= pages
    assert len(site.asked) == pages + len(["/robots.txt"])
    assert f"stopped after {pages} pages (--pages); with --job DIR" in found.stderr


def test_a_site_with_as_many_pages_as_the_limit_is_read_to_its_end(crawl: Crawl) -> None:
    found = crawl("/rss", "--pages", str(1 + len(STORIES)))
    assert found.counts["pages read"] == 1 + len(STORIES)
    assert "stopped" not in found.stderr


def test_a_job_goes_on_with_the_pages_beyond_the_limit(crawl: Crawl) -> None:
    for run in range(3):  # the feed, which is read each time, and two stories
        found = crawl("/rss", "--job", "job", "--pages", "3")
        assert found.counts["pages read"] == 3
        assert ("the same command goes on from there" in found.stderr) == (run < 2)
    assert stories(found.rows) == sorted(STORIES)


@pytest.mark.parametrize(
    ("path", "args", "kept"),
    [
        ("/", ["--depth", "1"], STORIES[:2]),
        ("/", ["--include", "harbour"], STORIES[:1]),
        ("/rss", ["--exclude", "harbour|museum"], STORIES[2:]),
        # A sitemap of sitemaps is a source: its pages are at depth one.
        ("/sitemap.xml", ["--depth", "1"], STORIES),
    ],
)
def test_depth_and_expressions_limit_the_links(
    crawl: Crawl, path: str, args: list[str], kept: list[str]
) -> None:
    assert stories(crawl(path, *args).rows) == sorted(kept)


def test_include_reaches_links_that_are_not_followed_otherwise(site: Site, crawl: Crawl) -> None:
    crawl("/", "--include", "/search", "--all-pages")
    assert "/search?id=1&id=2" in site.asked


def test_all_pages_are_kept_on_demand(crawl: Crawl) -> None:
    found = crawl("/list", "--all-pages", "--fields", "url,has_article")
    assert [row["has_article"] for row in found.rows] == [False, False]
    assert found.counts["pages kept"] == 2


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_an_interrupted_crawl_keeps_its_rows_and_its_job_goes_on(
    site: Site, crawl: Crawl, tmp_path: Path, how: signal.Signals
) -> None:
    out, args = tmp_path / "out.csv", ["--fields", "url", "--job", "job"]
    command = [*COMMAND, "crawl", site.url + "/", "-o", "out.csv", *args]
    running = subprocess.Popen(
        [*command, "-s", "DOWNLOAD_DELAY=0.5"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGHUP, signal.SIG_DFL),  # nohup ignores it
    )
    while not (out.exists() and out.stat().st_size) and running.poll() is None:
        time.sleep(0.05)
    running.send_signal(how)
    _, printed = running.communicate(timeout=60)
    if how is not signal.SIGKILL:
        assert running.returncode == 130, printed
        assert "interrupted; the same command goes on from there" in printed
        assert "Traceback" not in printed
    header, *some = out.read_text("utf-8").split()
    assert header == "url"
    assert 1 <= len(some) < len(STORIES)
    crawl("/", *args, output="out.csv")
    header, *addresses = out.read_text("utf-8").split()
    assert header == "url"
    assert stories([{"url": address} for address in addresses]) == sorted(STORIES)
    assert crawl("/", *args, output="out.csv").counts["articles kept"] == 0


def test_articles_that_cannot_be_stored_are_not_called_kept(site: Site) -> None:
    # One page at a time, a second apart: the first row fails before all are asked for.
    slowly = ("-s", "AUTOTHROTTLE_START_DELAY=1", "-s", "CONCURRENT_REQUESTS=1")
    with Path("/dev/full").open("wb") as full:
        done = process(["crawl", site.url + "/rss", *slowly], stdout=full)
    assert done.returncode == 2
    assert counts(done.stderr)["articles kept"] == 0
    assert "stopped, because nothing more can be stored" in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "scrapy webtext crawl: Standard output cannot be written: No space left on device"
    )
    assert len(site.asked) < 2 + len(STORIES)


def test_links_of_a_page_that_is_too_large_are_not_followed(site: Site, crawl: Crawl) -> None:
    found = crawl("/list", "-s", "WEBTEXT_MAX_BODY_SIZE=50", status=2)
    assert found.counts["too large"] == 1
    assert "/empty" not in site.asked


def test_a_crawl_without_an_article_ends_with_a_repair_and_no_file(
    crawl: Crawl, tmp_path: Path
) -> None:
    found = crawl("/list", status=2)
    assert "No article kept of 2 read: read more (--pages" in found.stderr.splitlines()[-1]
    assert not (tmp_path / "out.jsonl").exists()


def test_some_sources_may_fail_and_the_others_are_read(site: Site, crawl: Crawl) -> None:
    faults = {
        f"{site.url}/private/2": "is forbidden by the site's robots.txt: name a part of the site",
        f"{site.url}/missing": "answered with status 404",
        f"{site.url}/data.json": "is no web page, sitemap or feed",
        f"{site.url}/nothing.xml": "is no web page, sitemap or feed",
        "http://127.0.0.1:9/": "cannot be reached (address and connection right?)",
    }
    found = crawl("/rss", *faults, "-s", "RETRY_TIMES=0", status=2)
    assert stories(found.rows) == sorted(STORIES)
    for source, words in faults.items():
        assert f"scrapy webtext crawl: {source} {words}" in found.stderr


def test_a_projects_settings_apply_but_not_its_feeds_and_pipelines(
    crawl: Crawl, tmp_path: Path
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = own\n")
    (tmp_path / "own.py").write_text(
        "ITEM_PIPELINES = {'nowhere.Pipeline': 1}\n"
        "FEEDS = {'other.jsonl': {'format': 'jsonlines'}}\n"
        "WEBTEXT_JUDGE = 'pvalue'\n"
        "WEBTEXT_THRESHOLD = 0.6\n"
    )
    rows = crawl("/rss", "--fields", "p_value").rows
    assert rows
    assert all(row["p_value"] >= 0.6 for row in rows)
    assert not (tmp_path / "other.jsonl").exists()
