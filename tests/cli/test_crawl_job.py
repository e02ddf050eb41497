"""What a job folder keeps of the runs before, and what a crawl stores."""

import json
from argparse import Namespace
from contextlib import closing
from pathlib import Path

import pytest
from scrapy.http import Request, XmlResponse

from scrapy_webtext.cli.crawl import CrawlOrder, order_of
from scrapy_webtext.cli.crawl_job import CrawlJob
from scrapy_webtext.errors import InputError
from scrapy_webtext.integrations import article_spider
from scrapy_webtext.integrations.article_spider import ArticleSpider
from scrapy_webtext.integrations.crawl_output import RowStore

SITE = "http://127.0.0.1/"
ROWS = [{"url": f"{SITE}{n}", "main_text": f"Story {n}, in “words”\n"} for n in range(3)]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def order(output: str = "a.csv", *, fields: str = "url,main_text", **changed: object) -> CrawlOrder:
    options = {"pages": 0, "depth": 0, "include": [], "exclude": [], "job": "job"}
    options |= {"overwrite": False, "all_pages": False, "sources": [SITE]} | changed
    given = Namespace(output=output, fields=fields.split(","), **options)
    return order_of(given, {"main_text", "title"})


def run(asked: CrawlOrder, rows: list[dict[str, str]]) -> list[int]:
    """Ask for a page per row, store the rows; return what was left by the runs before."""
    with closing(CrawlJob(asked)) as job:
        left = [entry["ask"] for entry, is_left in job.asked() if is_left]
        with closing(RowStore(asked, job)) as store:
            for row in rows:
                number = job.ask({"url": row["url"]})
                store.keep(row)
                job.done(number)
            job.ask({"url": "never answered"})
    return left


def leave_half(path: str, text: str) -> None:
    """Write what a process that is killed leaves of a line."""
    with Path(path).open("a") as file:
        file.write(text)


def test_a_run_after_a_killed_one_has_each_row_once() -> None:
    assert run(order(), ROWS[:1]) == []
    leave_half("a.csv", "http://127.0.0.1/1,half a r")
    leave_half("job/crawl.jsonl", '{"done": 2')
    assert run(order(), ROWS) == [2]
    assert run(order(), ROWS[:2]) == [2, 6]
    text = Path("a.csv").read_text("utf-8")
    assert text.startswith("url,main_text\n")
    assert [text.count(row["url"]) for row in ROWS] == [1, 1, 1]
    assert "half" not in text


def test_pages_of_a_file_that_was_never_whole_are_asked_again() -> None:
    assert run(order("a.json"), ROWS[:2]) == []
    assert json.loads(Path("a.json").read_text("utf-8")) == ROWS[:2]
    assert run(order("b.json"), ROWS[2:]) == [3]
    Path("b.json").unlink()
    journal = Path("job/crawl.jsonl")
    journal.write_text(journal.read_text("utf-8").rpartition('{"whole"')[0], "utf-8")
    assert run(order("b.json"), ROWS) == [3, 4, 5]
    assert json.loads(Path("b.json").read_text("utf-8")) == ROWS[2:]


def test_a_job_goes_on_in_another_file_with_its_own_columns() -> None:
    run(order(), ROWS[:1])
    run(order("b.csv", fields="main_text,url"), ROWS)
    assert Path("b.csv").read_text("utf-8").startswith("main_text,url\n")
    run(order(), ROWS)
    assert Path("a.csv").read_text("utf-8").count("http") == 1


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"sources": [SITE + "rss"]}, "is of another crawl"),
        ({"all_pages": True}, "is of another crawl"),
        ({"fields": "main_text,url"}, "has the columns url,main_text: repeat them with --fields"),
        ({"output": "a.json"}, "is written in one piece: name another file"),
        ({"output": "other.csv"}, "is there already: name another file"),
        ({"output": "gone.csv"}, "has 0 bytes, and the job wrote"),
        ({"overwrite": True}, "--job continues FILE and --overwrite replaces it"),
        ({"job": "full"}, "is not empty and no job of a crawl: name a new folder"),
        ({"job": "a.csv"}, "is a file: name a folder"),
        ({"job": "damaged"}, "Line 1 of damaged/crawl.jsonl is damaged: name a new folder"),
    ],
)
def test_a_job_that_cannot_go_on_is_refused(changed: dict[str, str], words: str) -> None:
    for output in ("a.csv", "a.json", "gone.csv"):
        run(order(output), [{"url": output, "main_text": ""}])
    Path("gone.csv").unlink()
    Path("other.csv").write_text("mine")
    for name in ("full/other.txt", "damaged/crawl.jsonl"):
        Path(name).parent.mkdir()
        Path(name).write_text("mine\n")
    before = Path("job/crawl.jsonl").read_text("utf-8")
    with pytest.raises(InputError) as refusal:
        run(order(**changed), ROWS)  # type: ignore[arg-type]
    assert words in str(refusal.value)
    assert Path("job/crawl.jsonl").read_text("utf-8") == before


def test_a_job_is_of_one_run_at_a_time() -> None:
    with closing(CrawlJob(order())), pytest.raises(InputError, match="--job job is in use: wait"):
        CrawlJob(order())
    CrawlJob(order()).close()


def test_a_sitemap_of_too_many_entries_is_read_again_for_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(article_spider, "MAX_ENTRIES", 2)
    spider = ArticleSpider(order(job=None), RowStore(order(job=None), None))
    entries = "".join(
        f"<url><loc>{SITE}{n}</loc><lastmod>2024-01-0{n}</lastmod></url>" for n in range(1, 6)
    )
    body = f"<urlset>{entries}</urlset>".encode()
    asked = [Request(SITE + "map", spider._parse_sitemap)]
    for request in asked:
        if request.callback == spider._parse_sitemap:
            asked += spider._parse_sitemap(XmlResponse(request.url, body=body, request=request))
    places = [request.url.removeprefix(SITE) for request in asked]
    assert places == ["map", "5", "4", "map", "3", "2", "map", "1"]
    spider.store.close()
