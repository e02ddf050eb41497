"""The job folder of a crawl, its output, and the kinds of its sources."""

import gzip
import json
import re
import resource
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Spider, signals
from scrapy.core.scheduler import Scheduler
from scrapy.http import HtmlResponse, Request, Response, TextResponse, XmlResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.link import Link
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from scrapy_webtext.errors import InputError, WebtextError
from scrapy_webtext.files import Progress
from scrapy_webtext.sitecrawl.job_queue import JobScheduler, Journal
from scrapy_webtext.sitecrawl.rows import RowStore
from scrapy_webtext.sitecrawl.run import CrawlOrder, CrawlOutcome, RobotsInTime, order_of
from scrapy_webtext.sitecrawl.spider import ArticleSpider, read_source
from tests.kits.data import read_json

CASES = read_json(__file__, "jobs.json")


SITE = "http://127.0.0.1/"
ROWS = [{"url": f"{SITE}{n}", "main_text": f"Story {n}, in “words”\n"} for n in range(3)]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def order(output: str = "a.csv", *, fields: str = "url,main_text", **changed: object) -> CrawlOrder:
    options = dict.fromkeys(["pages", "depth", "chunks"], 0) | {"job": "job", "sources": [SITE]}
    options |= {"include": [], "exclude": [], "output": output}
    options |= dict.fromkeys(["overwrite", "all_pages"], False) | {"fields": fields.split(",")}
    return order_of(Namespace(**options | changed))


def run(asked: CrawlOrder, rows: list[dict[str, str]], *, is_killed: bool = False) -> list[int]:
    """Request a page for each row and store the rows; return the open requests of earlier runs."""
    store = RowStore(asked)
    job = store.job
    assert job is not None
    left = [entry["ask"] for entry, is_left in job.asked() if is_left]
    for row in rows:
        number = job.ask({"url": row["url"]})
        store.keep(row)
        job.done(number)
    job.ask({"url": "never answered"})
    if is_killed:
        job.close()
        for file in (store._lock, store._file):
            file.close()
    else:
        store.close()
    return left


def leave_half(path: str, text: str) -> None:
    """Write half a line, as a process that is killed does."""
    with Path(path).open("a") as file:
        file.write(text)


def test_a_run_after_a_killed_one_has_each_row_once() -> None:
    assert run(order(), ROWS[:1], is_killed=True) == []
    leave_half("a.csv", "http://127.0.0.1/1,half a r")
    leave_half("job/requests.jsonl", '{"done": 2')
    assert run(order(), ROWS) == [2]
    assert run(order(), ROWS[:2]) == [2, 6]
    text = Path("a.csv").read_text("utf-8")
    assert text.startswith("url,main_text\n")
    assert [text.count(row["url"]) for row in ROWS] == [1, 1, 1]
    assert "half" not in text


def test_pages_of_an_incomplete_file_are_asked_again() -> None:
    assert run(order("a.json"), ROWS[:2]) == []
    assert json.loads(Path("a.json").read_text("utf-8")) == ROWS[:2]
    assert run(order("b.json"), ROWS[2:], is_killed=True) == [3]
    assert run(order("b.json"), ROWS) == [3, 4, 5]
    assert json.loads(Path("b.json").read_text("utf-8")) == ROWS[2:]


def test_a_job_goes_on_in_another_file_with_its_own_columns() -> None:
    run(order(), ROWS[:1])
    run(order("b.csv", fields="main_text,url"), ROWS)
    assert Path("b.csv").read_text("utf-8").startswith("main_text,url\n")
    assert Path("a.csv").read_text("utf-8").count("http") == 1


def test_rows_without_a_text_and_copies_are_not_stored() -> None:
    row = {"url": SITE, "main_text": "One day it rained."}
    with closing(RowStore(order("rows.csv", job=None))) as store:
        found = [store.keep(one) for one in ({"url": SITE, "main_text": ""}, dict(row), dict(row))]
    assert (found, store.rows) == (["no_text", None, "copies"], 1)
    with closing(RowStore(order("chunks.csv", job=None, all_pages=True, chunks=9))) as store:
        assert store.keep({"url": SITE, "main_text": ""}) == "no_text"  # it has no chunk


@pytest.mark.parametrize(("changed", "words"), CASES["refused"])
def test_a_job_that_cannot_go_on_is_refused(changed: dict[str, str], words: str) -> None:
    run(order("a.json"), ROWS[:1])
    run(order(), [{"url": "a.csv", "main_text": "x"}])
    if "is_gone" in changed:
        Path("a.csv").unlink()
    Path("other.csv").write_text("mine")
    others = {
        "full/other.txt": "mine",
        "damaged/requests.jsonl": "mine",
        "foreign/requests.jsonl": '{"url": "https://example.com/"}',
        "numbers/requests.jsonl": "7",
    }
    for name, content in others.items():
        Path(name).parent.mkdir()
        Path(name).write_text(content)
    before = Path("job/requests.jsonl").read_text("utf-8")
    with pytest.raises(InputError) as refusal:
        run(order(**{k: v for k, v in changed.items() if k != "is_gone"}), ROWS)  # type: ignore[arg-type]
    assert words in str(refusal.value)
    assert Path("job/requests.jsonl").read_text("utf-8") == before


def test_a_job_is_of_one_run_at_a_time() -> None:
    with closing(RowStore(order())), pytest.raises(InputError, match="--job job is in use: wait"):
        RowStore(order())
    RowStore(order()).close()


@pytest.mark.parametrize(("folder", "words"), CASES["folders"])
def test_a_spider_takes_no_folder_of_another_job(folder: str, words: str, caplog: Any) -> None:
    Path("scrapys").mkdir()
    Path("scrapys/requests.seen").touch()
    Journal("JOBDIR", "ours", {"spider": "a"}).close()
    crawler: Any = SimpleNamespace(settings={"JOBDIR": folder}, spider=SimpleNamespace(name="b"))
    with pytest.raises(WebtextError, match=re.escape(words)):
        JobScheduler.from_crawler(crawler)
    assert caplog.messages[-1].startswith(f"webtext: the crawl cannot start: {words}")
    assert Path("scrapys/requests.seen").exists()


@pytest.fixture
def scheduler() -> Iterator[Callable[[], JobScheduler]]:
    """Open the queue of the next run of a job, without an engine, after a kill of the last run."""
    opened: list[JobScheduler] = []

    def kill() -> None:
        while opened:
            scheduler = opened.pop()
            assert scheduler.journal is not None
            scheduler.journal.close()
            Scheduler.close(scheduler, "killed")  # notes no answered request

    def begin() -> JobScheduler:
        kill()
        settings = {
            "JOBDIR": "job",
            "TWISTED_REACTOR": None,
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
        }
        crawler: Any = get_crawler(settings_dict=settings)
        crawler.spider, crawler.engine = Spider("a"), SimpleNamespace(_slot=None)
        opened.append(JobScheduler.from_crawler(crawler))
        opened[-1].open(crawler.spider)
        return opened[-1]

    yield begin
    kill()


def test_a_resumed_job_asks_a_start_page_once_and_again_for_a_retry(
    scheduler: Callable[[], JobScheduler],
) -> None:
    start = Request(SITE, dont_filter=True, meta={"is_start_request": True})
    assert scheduler().enqueue_request(start.copy())
    resumed = scheduler()
    assert not resumed.enqueue_request(start.copy())  # an earlier run asked for it
    left = resumed.next_request()
    assert left is not None
    assert left.url == SITE
    assert resumed.enqueue_request(left.copy())  # as the middleware of retries does
    assert resumed.next_request() is not None
    assert resumed.next_request() is None


def test_pages_of_a_server_that_was_away_are_asked_again(
    scheduler: Callable[[], JobScheduler],
) -> None:
    run = scheduler()
    send = run.crawler.signals.send_catch_log
    for path, status in (("away", None), ("busy", 503), ("read", 200)):
        run.enqueue_request(Request(SITE + path))
        request = run.next_request()
        send(signals.request_reached_downloader, request=request)
        if status is not None:
            response = Response(SITE + path, status)
            send(signals.response_received, request=request, response=response)
    assert run.next_request() is None  # notes what is done
    resumed = scheduler()
    assert {request.url for request in iter(resumed.next_request, None)} == {
        SITE + "away", SITE + "busy",
    }  # fmt: skip


def test_a_start_page_that_is_asked_several_times_is_asked_as_often_in_all(
    scheduler: Callable[[], JobScheduler],
) -> None:
    starts = [
        Request(SITE, dont_filter=True, cb_kwargs={"n": n}, meta={"is_start_request": True})
        for n in range(5)
    ]
    killed = scheduler()
    for start in starts[:3]:
        assert killed.enqueue_request(start.copy())
    assert [scheduler().enqueue_request(start.copy()) for start in starts[:4]][3:] == [False]
    resumed = scheduler()
    assert [resumed.enqueue_request(start.copy()) for start in starts] == [False] * 3 + [True] * 2
    requests = iter(resumed.next_request, None)
    assert sorted(request.cb_kwargs["n"] for request in requests) == [0, 1, 2, 3, 4]


def test_a_method_that_is_gone_is_named_if_a_request_still_needs_it(
    scheduler: Callable[[], JobScheduler], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(Spider, "parse_story", lambda *_: None, raising=False)
        first = scheduler()
        for path in ("done", "left"):
            callback = first.spider.parse_story
            assert first.enqueue_request(Request(SITE + path, callback))
        assert first.journal is not None
        first.journal.done(1)
    with pytest.raises(InputError, match=f"^JOBDIR has a request of {SITE}left .*'parse_story'"):
        scheduler()


RSS = "<?xml version='1.0' encoding='{}'?><rss><channel>{}</channel></rss>"
STORY = "<item><title>Ж</title><link>http://f.example/статья</link></item>"
GUID = "<item><link>\n</link><guid>http://f.example/статья</guid></item>"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        *((RSS.format(name, STORY).encode(name), "feed") for name in ("cp1251", "utf-16", "utf-8")),
        (gzip.compress(RSS.format("utf-8", STORY).encode()), "feed"),
        (RSS.format("utf-8", GUID).encode(), "feed"),
        (b"<!--" + b"x" * 99_000 + b"--><urlset xmlns='a'></urlset>", "sitemap"),
        ("<?xml version='1.0' encoding='utf-16'?><urlset/>".encode("utf-16"), "sitemap"),
        (b"<!DOCTYPE html><!-- <rss > at /rss --><html><body><a href=/a>a</a></html>", "site"),
        (b"<p>no root", "site"),
        (b'{"version": "https://jsonfeed.org/version/1.1", "items": []}', "feed"),
        (b"\xef\xbb\xbfhttp://f.example/a\r\nhttp://f.example/b\r\n", "list"),
        (b"<!-- no end <rss>", "site"),
    ],
)
def test_a_source_is_known_by_its_first_element(body: bytes, kind: str) -> None:
    response = HtmlResponse(SITE, body=body, headers={"Content-Type": "text/html"})
    source = read_source(response, 10_000)
    assert source.kind == kind
    if kind == "feed" and body[:1] != b"{":
        assert list(source.entries) == [("http://f.example/статья", "")]


ENTRY = {
    "sitemap": "<url><loc>/a{0}</loc><lastmod>{0:07}</lastmod><i/></url>",
    "index": "<sitemap><loc>/a{0}</loc></sitemap>",
    "feed": "<channel><item><link>/a{0}</link><pubDate>d{0}</pubDate></item></channel>",
}


@pytest.mark.parametrize(
    ("kind", "root", "most"),
    [("sitemap", "urlset", 5000), ("index", "sitemapindex", 500), ("feed", "rss", 5000)],
)
def test_all_entries_of_a_long_source_are_scheduled_in_portions(
    kind: str, root: str, most: int
) -> None:
    number = 2 * most + 7
    body = f"<{root}>{''.join(map(ENTRY[kind].format, range(number)))}</{root}>".encode()
    first: int | None = 0
    found: list[str] = []
    sizes: list[int] = []
    while first is not None:
        some, first = read_source(Response(SITE, body=body), 0).some(first)
        found += [address.rpartition("/a")[2] for address, _ in some]
        sizes.append(len(some))
    assert sizes == [most, most, 7]
    expected = list(map(str, range(number)))
    assert found == (expected[::-1] if kind == "sitemap" else expected)


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize(
    "start", ["<urlset>", "<urlset><url><loc>/a</loc>", "<rss><channel><item>", "<feed><x>"]
)
@pytest.mark.parametrize(
    "piece", ["<u/>", "<u a='b'>c</u>", "<u>", "&a;", "<!-- -->", "<url/>", "<?a?>"]
)
def test_memory_for_a_source_does_not_grow_with_its_elements(start: str, piece: str) -> None:
    body = (start + piece * (2_000_000 // len(piece))).encode()
    before = peak_memory()
    some, _ = read_source(Response(SITE, body=body), 0).some(0)
    assert len(some) <= 1
    assert peak_memory() - before < 40 * 2**20


def test_of_a_robots_txt_only_the_first_500_kib_are_read_also_after_a_redirect() -> None:
    lines = "".join(f"Sitemap: /s{n}.xml\n" for n in range(99_999))
    request = Request(SITE + "rules", meta={"redirect_urls": [SITE + "robots.txt"]})
    source = read_source(Response(SITE + "rules", body=lines.encode(), request=request), 0)
    assert source.kind == "robots"
    some, after = source.some(0)
    assert (len(some), after) == (500, 500)
    assert len(list(source.entries)) < 512_000 / len("Sitemap: /s9999.xml\n")


def test_a_source_larger_than_the_limit_is_refused() -> None:
    response = Response(SITE, body=gzip.compress(b"<urlset>" + b" " * 10_000))
    with pytest.raises(ValueError, match="MaxSize"):
        read_source(response, 10_000)


def test_a_robots_txt_is_not_waited_for_without_end(capsys: pytest.CaptureFixture[str]) -> None:
    middleware = RobotsInTime(SimpleNamespace(spider=SimpleNamespace(progress=Progress(None))))  # type: ignore[arg-type]
    asked = Request(SITE + "robots.txt", NO_CALLBACK)
    page = Request(SITE)
    for request in (asked, page):
        middleware.process_request(request)
        middleware.process_exception(request, TimeoutError())
    assert asked.meta == {"allow_offsite": True, "download_timeout": 10, "dont_retry": True}
    assert page.meta == {}
    assert capsys.readouterr().err == (
        f"{SITE}robots.txt cannot be read (TimeoutError): the site is crawled without it\n"
    )


def test_a_robots_txt_is_cut_at_its_last_whole_line() -> None:
    middleware = RobotsInTime(SimpleNamespace())  # type: ignore[arg-type]
    body = b"Disallow: /x\n" * 100_000
    cut = middleware.process_response(
        Request(SITE + "robots.txt", NO_CALLBACK), TextResponse(SITE, body=body)
    )
    assert 500_000 < len(cut.body) <= 512_000
    assert cut.body.endswith(b"Disallow: /x")
    page = TextResponse(SITE, body=body)
    assert middleware.process_response(Request(SITE), page) is page


@contextmanager
def spider_of(source: str = SITE, **options: object) -> Iterator[ArticleSpider]:
    with closing(RowStore(order(job=None, sources=[source], **options))) as store:  # type: ignore[arg-type]
        yield ArticleSpider(store, Progress(None))


@pytest.mark.parametrize(("source", "domain"), CASES["domains"])
def test_a_site_is_never_all_of_a_public_suffix(source: str, domain: str) -> None:
    with spider_of(source) as spider:
        assert spider.allowed_domains == [domain]


def test_links_of_one_page_are_bounded_by_the_limit_of_pages() -> None:
    links = [Link(f"{SITE}{n}") for n in range(5_000)]
    with spider_of(pages=5) as spider:
        spider.queue = [None] * 100  # type: ignore[assignment]
        assert spider._choose(links) == links[:1_000]
        spider.queue = [None] * 5_000  # type: ignore[assignment]
        assert spider._choose(links) == []
    with spider_of(pages=0) as spider:
        assert spider._choose(links) == links


def test_entries_of_a_feed_have_its_base_and_their_dates() -> None:
    entry = '<entry xml:base="{0}/"><link href="story"/><published>201{0}</published></entry>'
    entries = "".join(map(entry.format, range(3))) + "<entry><title>x</title></entry>"
    body = (
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b.example/">{entries}</feed>'
    )
    assert list(read_source(XmlResponse(SITE, body=body.encode()), 0).entries) == [
        (f"http://b.example/{n}/story", f"201{n}") for n in range(3)
    ]


@pytest.mark.parametrize("output", ["a.jsonl", "a.json", "a.csv"])
def test_an_output_is_of_one_crawl_at_a_time(output: str) -> None:
    with closing(RowStore(order(output, job=None))) as store:
        with pytest.raises(InputError, match="is written by another crawl"):
            RowStore(order(output, job=None))
        store.keep(dict(ROWS[0]))
    assert Path(output).read_text("utf-8").count("Story 0") == 1
    with closing(RowStore(order(f"no-{output}", job=None))):
        pass
    assert not Path(f"no-{output}").exists()


def test_rows_that_were_added_between_two_runs_are_not_cut_off() -> None:
    run(order(), ROWS[:1])
    leave_half("a.csv", "http://mine.example/,mine\n")
    before = Path("a.csv").read_bytes()
    with pytest.raises(InputError, match="take out what was added"):
        run(order(), ROWS)
    assert Path("a.csv").read_bytes() == before


def test_a_sitemap_of_too_many_entries_is_read_again_for_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scrapy_webtext.sitecrawl.spider.MAX_ENTRIES", 2)
    with closing(RowStore(order(job=None))) as store:
        spider = ArticleSpider(store, Progress(None))
    spider.settings = Settings()
    entries = "".join(
        f"<url><loc>{SITE}{n}</loc><lastmod>2024-01-0{n}</lastmod></url>" for n in range(1, 6)
    )
    body = f"<urlset>{entries}</urlset>".encode()
    asked = [Request(SITE + "map", spider.parse_sitemap)]
    for request in asked:
        if request.callback == spider.parse_sitemap:
            asked += spider.parse_sitemap(XmlResponse(request.url, body=body, request=request))
    places = [request.url.removeprefix(SITE) for request in asked]
    assert places == ["map", "5", "4", "map", "3", "2", "map", "1"]


@pytest.mark.parametrize(("dropped", "last"), CASES["last lines"])
def test_the_last_line_names_all_pages_if_most_were_dropped(dropped: int, last: str) -> None:
    stats = {
        "finish_reason": "finished",
        "elapsed_time_seconds": 3,
        "webtext/crawl/pages": 10,
        "webtext/items/dropped": dropped,
    }
    outcome = CrawlOutcome(stats, (), 4)
    assert outcome.table(order()).splitlines()[-1] == last
