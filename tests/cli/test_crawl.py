"""`scrapy webtext crawl`: the articles of a site, a sitemap, a feed; limits, jobs, what it says."""

import csv
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import ENVIRONMENT, refused, webtext
from tests.cli.crawl_site import LEFT_ALONE, STORIES, CrawlSite

#: Autothrottle waits a second before it knows a server.
QUICK = ("-s", "AUTOTHROTTLE_START_DELAY=0.01")


@pytest.fixture
def site() -> Iterator[CrawlSite]:
    with CrawlSite() as site:
        yield site


def crawl(*args: str | Path, status: int = 0) -> "subprocess.CompletedProcess[str]":
    done = webtext("crawl", *args, *QUICK)
    assert done.returncode == status, done.stderr
    return done


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def stories(rows: list[dict[str, object]]) -> list[str]:
    return sorted(str(row["url"]).rpartition("/news/")[2] for row in rows)


def counts(table: str) -> dict[str, int]:
    found = re.findall(r"^(\S.*?) +(\d+)$", table, re.M)
    return {words: int(number) for words, number in found}


def test_the_articles_of_a_site_are_kept_once_each(site: CrawlSite, tmp_path: Path) -> None:
    done = crawl(site.url + "/", "-o", tmp_path / "out.jsonl")
    rows = lines(tmp_path / "out.jsonl")
    assert stories(rows) == sorted(STORIES)
    assert list(rows[0]) == [
        "url", "title", "authors", "published", "modified", "language",
        "main_text", "main_text_score", "article_probability",
    ]  # fmt: skip
    assert all(row["main_text"] and row["title"] for row in rows)
    assert all(float(str(row["article_probability"])) >= 0.5 for row in rows)
    table = counts(done.stderr)
    assert table["articles kept"] == len(STORIES)
    assert table["copies of what was kept"] == 1
    assert table["answered with an error"] == 1
    assert table["forbidden by robots.txt"] == 1
    assert table["links to other sites"] == 1
    assert re.search(r"^time +0:\d\d$", done.stderr, re.M)
    assert done.stdout == ""


def test_links_that_hold_no_article_are_not_followed(site: CrawlSite, tmp_path: Path) -> None:
    crawl(site.url + "/", "-o", tmp_path / "out.jsonl")
    assert not {*LEFT_ALONE, "/private/1"} & set(site.asked)
    assert site.asked[0] == "/robots.txt"
    assert f"/news/{STORIES[1]}" in site.asked  # without where the reader came from
    assert site.asked.count("/") == 1


@pytest.mark.parametrize("source", ["/sitemap.xml", "/rss", "/atom"])
def test_a_sitemap_and_a_feed_are_known_by_their_content(
    site: CrawlSite, tmp_path: Path, source: str
) -> None:
    crawl(site.url + source, "-o", tmp_path / "out.jsonl")
    assert stories(lines(tmp_path / "out.jsonl")) == sorted(STORIES)
    assert "/more" not in site.asked


def test_csv_has_the_columns_that_were_asked_for(site: CrawlSite, tmp_path: Path) -> None:
    path = tmp_path / "news:100% %(name)s.csv"
    crawl(site.url + "/rss", "-o", path, "--fields", "title,url,has_article")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["title", "url", "has_article"]
    assert stories([dict(row) for row in rows]) == sorted(STORIES)
    assert {row["has_article"] for row in rows} == {"True"}


def test_standard_output_takes_json_lines_behind_what_is_there(
    site: CrawlSite, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "scrapy", "webtext", "crawl", site.url + "/rss", *QUICK]
    path = tmp_path / "all.jsonl"
    path.write_text("{}\n")
    with path.open("a") as file:
        subprocess.run(command, stdout=file, env=ENVIRONMENT, check=True)
    there, *rows = lines(path)
    assert there == {}
    assert stories(rows) == sorted(STORIES)


@pytest.mark.parametrize("pages", [1, 3])
def test_so_many_pages_are_read_as_the_limit_says_and_none_more(
    site: CrawlSite, tmp_path: Path, pages: int
) -> None:
    at_once = ("-s", "CONCURRENT_REQUESTS=16", "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=16")
    done = crawl(
        site.url + "/", "-o", tmp_path / "out.jsonl", "--all-pages", "--pages", str(pages), *at_once
    )
    assert counts(done.stderr)["pages read"] == pages
    assert len(lines(tmp_path / "out.jsonl")) <= pages
    assert len(site.asked) == pages + len(["/robots.txt"])
    assert f"stopped after {pages} pages (--pages); with --job DIR" in done.stderr


def test_a_site_that_has_no_more_pages_than_the_limit_is_read_to_its_end(
    site: CrawlSite, tmp_path: Path
) -> None:
    done = crawl(site.url + "/rss", "-o", tmp_path / "out.jsonl", "--pages", str(1 + len(STORIES)))
    assert counts(done.stderr)["pages read"] == 1 + len(STORIES)
    assert "stopped" not in done.stderr


def test_a_job_goes_on_with_the_pages_beyond_the_limit(site: CrawlSite, tmp_path: Path) -> None:
    command = ["crawl", site.url + "/rss", "-o", "out.jsonl", "--job", "job", "--pages", "3"]
    for run in range(3):  # the feed, which is read each time, and two stories
        done = webtext(*command, *QUICK, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert counts(done.stderr)["pages read"] == 3
        assert ("the same command goes on from there" in done.stderr) == (run < 2)
    assert stories(lines(tmp_path / "out.jsonl")) == sorted(STORIES)


def test_depth_and_expressions_bound_what_is_followed(site: CrawlSite, tmp_path: Path) -> None:
    crawl(site.url + "/", "-o", tmp_path / "near.jsonl", "--depth", "1")
    assert stories(lines(tmp_path / "near.jsonl")) == sorted(STORIES[:2])
    crawl(site.url + "/", "-o", tmp_path / "in.jsonl", "--include", "harbour")
    assert stories(lines(tmp_path / "in.jsonl")) == [STORIES[0]]
    crawl(site.url + "/rss", "-o", tmp_path / "ex.jsonl", "--exclude", "harbour|museum")
    assert stories(lines(tmp_path / "ex.jsonl")) == sorted(STORIES[2:])
    # A sitemap of sitemaps is a source: its pages are at depth one.
    crawl(site.url + "/sitemap.xml", "-o", tmp_path / "map.jsonl", "--depth", "1")
    assert stories(lines(tmp_path / "map.jsonl")) == sorted(STORIES)


def test_include_reaches_what_is_left_alone_otherwise(site: CrawlSite, tmp_path: Path) -> None:
    crawl(site.url + "/", "-o", tmp_path / "out.jsonl", "--include", "/search", "--all-pages")
    assert "/search?id=1&id=2" in site.asked


def test_all_pages_are_kept_on_demand(site: CrawlSite, tmp_path: Path) -> None:
    done = crawl(
        site.url + "/list", "-o", tmp_path / "all.jsonl", "--all-pages", "--fields",
        "url,has_article",
    )  # fmt: skip
    rows = lines(tmp_path / "all.jsonl")
    assert [row["has_article"] for row in rows] == [False, False]
    assert counts(done.stderr)["pages kept"] == 2


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_job_goes_on_where_it_was_interrupted(
    site: CrawlSite, tmp_path: Path, how: signal.Signals
) -> None:
    command = ["crawl", site.url + "/", "-o", "out.csv", "--job", "job", "--fields", "url"]
    running = subprocess.Popen(
        [sys.executable, "-m", "scrapy", "webtext", *command, "-s", "DOWNLOAD_DELAY=0.5"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
    )
    out = tmp_path / "out.csv"
    while not (out.exists() and out.stat().st_size) and running.poll() is None:
        time.sleep(0.05)
    running.send_signal(how)
    _, said = running.communicate(timeout=60)
    if how is signal.SIGINT:
        assert running.returncode == 130, said
        assert "interrupted; the same command goes on from there" in said
    some = out.read_text("utf-8").split()
    assert 1 < len(some) < len(STORIES) + 1

    done = webtext(*command, *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    header, *addresses = out.read_text("utf-8").split()
    assert header == "url"
    assert stories([{"url": address} for address in addresses]) == sorted(STORIES)

    done = webtext(*command, *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert counts(done.stderr)["articles kept"] == 0


def test_articles_that_cannot_be_stored_are_not_called_kept(site: CrawlSite) -> None:
    command = [sys.executable, "-m", "scrapy", "webtext", "crawl", site.url + "/rss"]
    # One page at a time, a second apart: the first row fails before all are asked for.
    slowly = ("-s", "AUTOTHROTTLE_START_DELAY=1", "-s", "CONCURRENT_REQUESTS=1")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*command, *slowly],
            env=ENVIRONMENT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert counts(done.stderr)["articles kept"] == 0
    assert "stopped, because nothing more can be stored" in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "scrapy webtext crawl: Standard output cannot be written: No space left on device"
    )
    assert len(site.asked) < 2 + len(STORIES)


def test_links_of_a_page_that_is_too_large_are_not_followed(
    site: CrawlSite, tmp_path: Path
) -> None:
    done = crawl(site.url + "/list", "-s", "WEBTEXT_MAX_BODY_SIZE=50", status=2)
    assert counts(done.stderr)["too large"] == 1
    assert "/empty" not in site.asked


def test_what_was_written_before_is_not_lost(site: CrawlSite, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("mine\n")
    assert "is there already" in refused("crawl", site.url, "-o", path)
    crawl(site.url + "/rss", "-o", path, "--overwrite")
    assert len(lines(path)) == len(STORIES)


def test_faults_end_with_what_to_do(site: CrawlSite, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    for source, words in {
        "/private/2": "forbidden by the site's robots.txt: name a part of the site that is not",
        "/missing": "answered with status 404",
        "/data.json": "is no web page, sitemap or feed",
        "/list": "No article kept of 2 read: read more (--pages",
    }.items():
        done = crawl(site.url + source, "-o", path, status=2)
        assert words in done.stderr.splitlines()[-1]
        assert not path.exists()
    done = crawl("http://127.0.0.1:9/", "-o", path, "-s", "RETRY_TIMES=0", status=2)
    assert "cannot be reached (address and connection right?)" in done.stderr


def test_some_sources_may_fail_and_the_others_are_read(site: CrawlSite, tmp_path: Path) -> None:
    done = crawl(site.url + "/rss", site.url + "/missing", "-o", tmp_path / "a.jsonl", status=2)
    assert stories(lines(tmp_path / "a.jsonl")) == sorted(STORIES)
    assert "/missing answered with status 404" in done.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "No address given"),
        (["example.com"], "is no http or https address: write https://example.com"),
        (["file:///etc/passwd"], "is no http or https address"),
        (["http://127.0.0.1/", "-o", "out.txt"], "its ending must be one of .jsonl,"),
        (["http://127.0.0.1/", "--fields", "text"], "--fields has 'text'; it takes: url, article_"),
        (["http://127.0.0.1/", "--include", "("], "is no regular expression"),
        (["http://127.0.0.1/", "--pages", "many"], "is no whole number from 0 on"),
        (["http://127.0.0.1/", "--extractor", "bta"], "Unknown extractor 'bta'"),
        (["http://127.0.0.1/", "--job", __file__], "is a file: name a folder"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_fetched(
    args: list[str], words: str, tmp_path: Path
) -> None:
    assert words in refused("crawl", *args, cwd=tmp_path)


def test_a_projects_settings_apply_but_for_its_feeds_and_pipelines(
    site: CrawlSite, tmp_path: Path
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = own\n")
    (tmp_path / "own.py").write_text(
        "ITEM_PIPELINES = {'nowhere.Pipeline': 1}\n"
        "FEEDS = {'other.jsonl': {'format': 'jsonlines'}}\n"
        "WEBTEXT_JUDGE = 'pvalue'\n"
        "WEBTEXT_THRESHOLD = 0.6\n"
        "AUTOTHROTTLE_START_DELAY = 0.01\n"
    )
    args = (
        "crawl",
        site.url + "/rss",
        "-o",
        "out.jsonl",
        "--fields",
        "p_value",
    )
    done = webtext(*args, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = lines(tmp_path / "out.jsonl")
    assert rows
    assert all(row["p_value"] >= 0.6 for row in rows)
    assert not (tmp_path / "other.jsonl").exists()
