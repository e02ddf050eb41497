"""Fetching for the command line: hostile servers, and parts of a project that must not start."""

import contextlib
import gzip
import json
import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.commands import webtext
from tests.crawls.site import ARTICLE, SENTENCE
from tests.kits.data import read_json

CASES = read_json(__file__, "hostile.json")


TEXT = (SENTENCE * 20).strip()


def answer(body: str | bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Return an HTTP response, HTML unless the headers have a Content-Type."""
    is_typed = any(header.startswith("Content-Type") for header in headers)
    types = [] if is_typed else ["Content-Type: text/html"]
    head = "\r\n".join([f"HTTP/1.1 {status}", "Connection: close", *types, *headers, "", ""])
    return head.encode("latin-1") + (body if isinstance(body, bytes) else body.encode())


def redirect(place: str) -> bytes:
    return answer(ARTICLE, f"Location: {place}", status="302 Found")


def refresh(place: str) -> bytes:
    return answer(f"<meta http-equiv=refresh content='0;url={place}'>{ARTICLE}")


#: Path -> answer: headers that no library would send, redirects to files, bodies without an end.
ANSWERS = {
    "/to-file": redirect("file:///etc/hostname"),
    "/to-data": redirect("data:text/html,<p>evil"),
    "/loop": redirect("/loop"),
    "/refresh-file": refresh("file:///etc/hostname"),
    "/refresh-data": refresh("data:,x"),
    "/stream": answer(""),
    "/bomb": answer(gzip.compress(b"<p>a b c d</p>" * 2_000_000), "Content-Encoding: gzip"),
    "/large": answer("<p>" + "word " * 1_000_001),
    "/elements": answer("<p>" * 50_001),
    "/type": answer("%PDF", "Content-Type: application/pdf\x1b]0;owned\x07\x1b[2J\xc2\x9b"),
    "/name": answer(ARTICLE, "Content-Disposition: attachment; filename=../../x.html"),
    "/base": answer(f"<base href='http://['>{ARTICLE}"),
    "/charset": answer(ARTICLE, "Content-Type: text/html; charset=rot13"),
    "/noise": b"\x1b[2J\x1b]0;owned\x07\r\n\r\n",
}


class Hostile(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        who = answer(f"<article><p>I saw {self.headers['User-Agent']}.")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(ANSWERS.get(self.path, who))
            while self.path == "/stream":
                self.wfile.write(b"<p>more and more " * 10_000)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with Server(("127.0.0.1", 0), Hostile) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


TOO_LARGE = "is larger than WEBTEXT_MAX_BODY_SIZE or DOWNLOAD_MAXSIZE allow: raise both"
#: Path of a page without a text -> the reason.
REASONS = CASES["reasons"]


def test_a_hostile_answer_costs_its_page_one_line(server: str, tmp_path: Path) -> None:
    # Three of the last name files to read and to write.
    paths = [*REASONS, "/base", "/charset", "/refresh-file", "/refresh-data", "/name"]
    addresses = [server + path for path in paths]
    done = webtext("extract", *addresses, "-s", "RETRY_ENABLED=False", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == "".join(f"==> {one} <==\n{TEXT}\n\n" for one in addresses[-5:])
    lines = done.stderr.splitlines()
    assert len(lines) == len(REASONS)
    assert all(map(str.isprintable, lines))
    for path, reason in REASONS.items():
        begin = f"scrapy webtext extract: {server}{path} {reason}"
        assert [line for line in lines if line.startswith(begin)], path
    assert list(tmp_path.iterdir()) == []


def test_limits_are_raised_by_the_settings_of_the_message(server: str) -> None:
    limits = ("-s", "WEBTEXT_MAX_BODY_SIZE=6000000", "-s", "DOWNLOAD_MAXSIZE=6000000")
    done = webtext("extract", f"{server}/large", *limits, "--extractor", "pvalue")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("word word ")
    limits = ("-s", "WEBTEXT_MAX_BODY_SIZE=0", "-s", "DOWNLOAD_MAXSIZE=4000000")
    assert TOO_LARGE in webtext("extract", f"{server}/large", *limits).stderr


def test_a_sites_rule_holds_unless_the_command_line_says_otherwise(server: str) -> None:
    rule = '{"127.0.0.1": {"extractor": "bte", "judge": "pvalue", "threshold": 0.9}}'
    args = ("extract", server, "--json", "-s", f"WEBTEXT_SITES={rule}")
    for options, expected in (
        ((), ("bte", "pvalue", 0.9)),
        (("--extractor", "ttr"), ("ttr", "pvalue", 0.9)),
        (("--judge", "learned", "--threshold", "0.5"), ("bte", "learned", 0.5)),
        (("-s", "WEBTEXT_THRESHOLD=0.2"), ("bte", "pvalue", 0.2)),
    ):
        record = json.loads(webtext(*args, *options).stdout)
        assert (record["extractor"], record["judge"], record["threshold"]) == expected


#: A project whose parts write a file when they are started.
PROJECT = """
import pathlib
from scrapy import signals
from scrapy.core.scheduler import Scheduler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.statscollectors import MemoryStatsCollector

USER_AGENT = "the project"
ADDONS = {"scrapy_webtext.Addon": 500, "watched.Addon": 999}
FEEDS = {"items.jsonl": {"format": "jsonlines", "overwrite": True}}
EXTENSIONS = {"watched.Part": 1}
ITEM_PIPELINES = {"watched.Part": 1}
SPIDER_MIDDLEWARES = {"watched.Part": 1}
DOWNLOADER_MIDDLEWARES = {"watched.Asking": 800}
SCHEDULER = "watched.Queue"
STATS_CLASS = "watched.Stats"
DUPEFILTER_CLASS = "watched.Seen"

def started(self, *args, **kwargs):
    pathlib.Path("started-" + type(self).__name__).touch()
    return []

class Part:
    __init__ = started

class Addon:
    def update_settings(self, settings):
        settings["EXTENSIONS"]["watched.Part"] = 2
        settings["ITEM_PIPELINES"]["watched.Part"] = 2

class Asking:
    def process_request(self, request, spider=None):
        request.headers["User-Agent"] = request.headers["User-Agent"] + b" of the middleware"

class Queue(Scheduler):
    open = started

class Stats(MemoryStatsCollector):
    close_spider = started

class Seen(RFPDupeFilter):
    open = started

"""


def test_a_project_changes_requests_and_nothing_else_of_it_is_started(
    server: str, tmp_path: Path
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = watched\n")
    (tmp_path / "watched.py").write_text(PROJECT)
    done = webtext("extract", f"{server}/who", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "I saw the project of the middleware.\n",
        "",
    )
    assert {path.name for path in tmp_path.iterdir()} <= {"scrapy.cfg", "watched.py", "__pycache__"}
