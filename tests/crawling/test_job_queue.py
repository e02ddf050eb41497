"""JobScheduler: a full disk, a store that fails, and folders that are no job."""

import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

PAGES = 200
SPIDER = f"""
from pathlib import Path
import scrapy

class Store:
    def process_item(self, item, spider=None):
        if Path("full").exists():
            raise OSError(28, "No space left on device")
        with open("items", "a") as file:
            file.write(f"{{item['number']}}\\n")
        return item

class Counting(scrapy.Spider):
    name = "counting"
    start_urls = ["data:,0"]
    custom_settings = {{
        "ADDONS": {{"scrapy_webtext.Addon": 500}},
        "ITEM_PIPELINES": {{Store: 900}},
        "SCHEDULER": "scrapy_webtext.integrations.job_queue.JobScheduler",
    }}

    def parse(self, response):
        number = int(response.text)
        print(number)
        yield {{"number": number}}
        if number + 1 < {PAGES}:
            yield scrapy.Request(f"data:,{{number + 1}}")
"""


class Run(NamedTuple):
    pages: list[int]
    log: str


Crawl = Callable[..., Run]


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Crawl:
    """Return a function that crawls 200 pages, each of which links the next one."""
    monkeypatch.chdir(tmp_path)
    Path("spider.py").write_text(SPIDER)

    def crawl(*settings: str, max_bytes: int = resource.RLIM_INFINITY) -> Run:
        limits = (max_bytes, resource.RLIM_INFINITY)
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", "runspider", "spider.py", *settings],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Run(list(map(int, done.stdout.split())), done.stderr)

    return crawl


JOB = ("-s", "JOBDIR=job")


def items() -> list[int]:
    return sorted(map(int, Path("items").read_text().split()))


def test_a_full_disk_ends_the_crawl_and_the_next_run_goes_on(crawl: Crawl) -> None:
    first = crawl(*JOB, max_bytes=20_000)
    assert "'finish_reason': 'webtext_job_failed'" in first.log
    assert re.search(r"the crawl cannot go on: JOBDIR.* cannot be written: .*too large", first.log)
    assert 10 < len(first.pages) < PAGES
    second = crawl(*JOB)
    assert "'finish_reason': 'finished'" in second.log
    assert second.pages[0] in (first.pages[-1], first.pages[-1] + 1)
    assert second.pages[-1] == PAGES - 1
    assert sorted({*items()}) == list(range(PAGES))
    assert crawl(*JOB).pages == []


def test_pages_whose_items_met_an_error_are_asked_again(crawl: Crawl) -> None:
    Path("full").touch()
    first = crawl(*JOB)
    assert "the crawl cannot go on: 20 items in a row met an error" in first.log
    assert len(first.pages) == 20
    Path("full").unlink()
    assert sorted(crawl(*JOB).pages) == list(range(PAGES))
    assert items() == list(range(PAGES))


@pytest.mark.parametrize(
    ("files", "settings", "words"),
    [
        ({}, (), "SCHEDULER is a JobScheduler, and JOBDIR is not set: name a folder"),
        ({"requests.seen": ""}, JOB, "JOBDIR job is not empty and no job of a crawl"),
        ({"crawl.jsonl": '{"run": {"spider": "other"}}'}, JOB, "JOBDIR job is of another crawl"),
    ],
)
def test_a_folder_that_is_no_job_of_the_spider_is_refused(
    crawl: Crawl, files: dict[str, str], settings: tuple[str, ...], words: str
) -> None:
    Path("job").mkdir()
    for name, content in files.items():
        Path("job", name).write_text(content)
    refused = crawl(*settings)
    assert words in refused.log
    assert refused.pages == []
    assert {path.name for path in Path("job").iterdir()} >= set(files)
