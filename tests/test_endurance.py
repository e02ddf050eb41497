"""Long crawls of a site that fails, stopped and resumed: each page that came has its item."""

import json
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.crawls import endurance, long_crawl, unreliable
from tests.kits.processes import python, report_of

PAGES = 600


def run(folder: Path, *settings: str, base: str = "") -> Any:
    base = base or unreliable.start(PAGES)
    return report_of("tests.crawls.endurance", base, str(PAGES), str(folder), *settings)


#: Parts of a report that are 0 or empty if no item is missing, double or wrong.
FAULTS = ("pages_twice", "items_twice", "items_missing", "wrong_texts", "left")


def test_every_page_that_came_has_its_items_whatever_failed(tmp_path: Path) -> None:
    report = run(tmp_path, "WEBTEXT_EXTRACTOR=pvalue")
    lost = endurance.lost_of(PAGES)
    assert len(lost) > 10
    assert report["pages_lost"] == lost
    assert report["pages"] == PAGES - len(lost)
    assert not any(report[name] for name in FAULTS)
    assert report["reason"] == "finished"
    stats = report["stats"]
    assert not [name for name in stats if name.startswith("webtext/errors/")]
    assert stats["webtext/items/filled"] + stats["webtext/items/empty"] == report["items"]
    # The errback of a 404 has the response, the errback of a broken connection has none.
    missing = sum(unreliable.fault_of(n) == "missing" for n in lost)
    assert stats["webtext/items/unfilled"] == missing
    assert stats["webtext/items/unbound"] == len(lost) - missing
    assert stats["retry/count"] > 50


def stopped(base: str, folder: Path, *settings: str) -> "subprocess.CompletedProcess[str]":
    """Run a crawl that gets signals after a fifth of its pages, to the end of its last child."""
    arguments = [base, str(PAGES), str(folder), *settings]
    command = [sys.executable, "-m", "tests.crawls.endurance", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_crawl_that_gets_two_signals_ends_at_once_without_a_process_left(tmp_path: Path) -> None:
    stopped(unreliable.start(PAGES), tmp_path, "WEBTEXT_EXTRACTOR=pvalue", "SIGNAL_AFTER=121,122")
    report = endurance.account(tmp_path)
    assert PAGES / 5 < report["pages"] < PAGES
    assert report["items_twice"] == 0
    assert report["wrong_texts"] == []


def test_a_stopped_crawl_finishes_its_pages_and_resumes_with_the_others(tmp_path: Path) -> None:
    settings = f"JOBDIR={tmp_path / 'job'}"
    base = unreliable.start(PAGES)
    done = stopped(base, tmp_path, settings, "SIGNAL_AFTER=121")
    assert "Traceback" not in done.stderr
    report = json.loads(done.stdout)
    assert report["reason"] == "shutdown"
    assert PAGES / 5 < report["pages"] < PAGES
    assert not any(report[name] for name in FAULTS)
    resumed = run(tmp_path, settings, base=base)
    assert resumed["reason"] == "finished"
    assert resumed["pages"] == PAGES - len(resumed["pages_lost"])
    assert not any(resumed[name] for name in FAULTS[:-1])


def test_a_crawl_that_is_killed_twice_has_each_page_and_no_item_twice(tmp_path: Path) -> None:
    report = report_of("tests.crawls.long_crawl", str(PAGES), str(tmp_path))
    assert report["statuses"] == [-9, 0, -9, 0]
    assert report["pages_lost"] == endurance.lost_of(PAGES)
    assert report["pages"] == PAGES - len(report["pages_lost"])
    assert not any(report[name] for name in FAULTS[1:-1])
    assert report["pages_twice"] <= 100  # those in flight at a kill


@pytest.mark.parametrize(
    ("store", "size", "fault"),
    [
        (long_crawl.STORE, 1_000_000, " items in a row met an error"),
        ("ITEM_PIPELINES={}", 200_000, "/job cannot be written: File too large"),
    ],
)
def test_a_full_disk_ends_the_crawl_and_the_next_run_goes_on(
    store: str, size: int, fault: str, tmp_path: Path
) -> None:
    base = unreliable.start(PAGES)
    command = ["-m", "tests.crawls.endurance", base, str(PAGES), str(tmp_path)]
    command += [*long_crawl.job_in(tmp_path), store]
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, unlimited[1]))
    try:
        full = python(*command)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert json.loads(full.stdout)["reason"] == "webtext_job_failed"
    assert re.search(f"the crawl cannot go on: .*{fault}", full.stderr)
    resumed = json.loads(python(*command).stdout)
    assert resumed["reason"] == "finished"
    assert resumed["pages"] == PAGES - len(endurance.lost_of(PAGES))
    if store is long_crawl.STORE:
        stored = long_crawl.account(tmp_path)
        assert not any(stored[name] for name in FAULTS[1:-1])
    ended = json.loads(python(*command).stdout)
    # Only pages that never answer are asked for again.
    assert "downloader/response_status_count/200" not in ended["stats"]
