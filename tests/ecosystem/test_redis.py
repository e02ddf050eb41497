"""scrapy-redis: several processes on one queue in a real Redis."""

import io
import json
import pickle
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from tests.crawls.site import Answer, Site
from tests.ecosystem.recipes import Recipe
from tests.ecosystem.redis_spider import CONCURRENCY
from tests.kits.processes import free_port, wait_for

PAGES = 1_500
PROCESSES = ("a", "b", "c", "d")
KILLED = "c"
SECONDS = 600
SENTENCE = "On day {} the ferry crossed the bay, and the keeper of page {} wrote down the wind. "


def is_article(number: int) -> bool:
    """Every fifth page is a list of links."""
    return number % 5 != 0


def text(number: int) -> str:
    return "".join(SENTENCE.format(day, number) for day in range(8))


def links(number: int) -> list[int]:
    """Return the pages that a page links to: each has several links, but the first has none."""
    near = [number + step for step in range(1, 6)]
    far = [2 * number, 2 * number + 1, 7 * number + 3, 13 * number + 5, 31 * number + 11]
    return sorted({target % PAGES for target in near + far} - {number, 0})


class Shared(Answer):
    """A page of the later half comes when each process has asked for one, be it ever so late."""

    asked: ClassVar[set[str]] = set()
    all_asked: ClassVar[threading.Event] = threading.Event()

    def send(self, handler: BaseHTTPRequestHandler) -> None:
        self.asked.add(handler.headers["User-Agent"])
        if self.asked >= set(PROCESSES):
            self.all_asked.set()
        if int(handler.path[1:]) >= PAGES // 2:
            self.all_asked.wait(SECONDS)
        super().send(handler)


def page(number: int) -> Shared:
    anchors = "".join(f"<li><a href='/{n}'>Page {n}</a></li>" for n in links(number))
    main = f"<ul>{anchors * 6}</ul>"
    if is_article(number):
        main = f"<article>{f'<p>{text(number)}</p>' * 4}</article><ul>{anchors}</ul>"
    return Shared(f"<html><body><h1>Log</h1>{main}</body></html>".encode())


class PlainUnpickler(pickle.Unpickler):
    """Reads Python's own kinds of data; refuses all others."""

    def find_class(self, module: str, name: str) -> Any:
        raise AssertionError(f"{module}.{name} is no plain data")


@dataclass
class Crawl:
    """The report of a crawl by several processes."""

    items: list[dict[str, Any]]
    stats: dict[str, dict[str, float]]  #: by process; a killed process has none
    requests: list[dict[str, Any]]  #: from the queue, during the crawl
    seen: int  #: requests that were new

    @property
    def by_process(self) -> Counter[str]:
        return Counter(item["process"] for item in self.items)


def number(item: dict[str, Any]) -> int:
    return int(item["url"].rpartition("/")[2])


def crawl(client: redis.Redis, port: int) -> Crawl:
    """Crawl the site with all processes; kill one of them when two thirds of the items exist."""
    with Site({f"/{number}": page(number) for number in range(PAGES)}) as base:
        client.lpush("shared:start_urls", json.dumps({"url": f"{base}/0"}))
        spiders = {name: start(name, port) for name in PROCESSES}
        try:
            wait_for(lambda: has_items(client, 2 * PAGES // 3, KILLED))
            requests = [plain(data) for data in client.zrange("shared:requests", 0, -1)]
            spiders[KILLED].kill()
            ended = {name: s.communicate(timeout=SECONDS)[0] for name, s in spiders.items()}
        finally:
            for process in spiders.values():
                process.kill()
                process.communicate()
    items = [json.loads(data) for data in client.lrange("shared:items", 0, -1)]
    stats = {name: json.loads(printed) for name, printed in ended.items() if printed}
    return Crawl(items, stats, requests, client.scard("shared:dupefilter"))


def start(name: str, port: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ecosystem.redis_spider", name, f"redis://127.0.0.1:{port}/0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def has_items(client: redis.Redis, count: int, process: str) -> bool:
    """Return whether so many items exist, one of this process among them."""
    items = client.lrange("shared:items", 0, -1)
    return len(items) >= count and any(json.loads(data)["process"] == process for data in items)


def plain(data: bytes) -> dict[str, Any]:
    request: dict[str, Any] = PlainUnpickler(io.BytesIO(data)).load()
    return request


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    port, folder = free_port(), tmp_path_factory.mktemp("redis")
    server = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
        stdout=subprocess.DEVNULL,
    )
    with redis.Redis(port=port, retry=Retry(ConstantBackoff(0.05), 200)) as client:
        client.ping()
    yield port
    server.terminate()
    server.wait()


@pytest.fixture
def client(server: int) -> Iterator[redis.Redis]:
    with redis.Redis(port=server) as connected:
        connected.flushall()
        yield connected


@pytest.fixture(scope="module")
def crawled(server: int) -> Crawl:
    with redis.Redis(port=server) as connected:
        return crawl(connected, server)


def test_flags_fields_and_stats_are_right_in_each_process(crawled: Crawl) -> None:
    assert set(crawled.by_process) == set(PROCESSES)
    for item in crawled.items:
        has_article = is_article(number(item))
        assert item["has_article"] is has_article
        assert item["flags"] == ["webtext:article" if has_article else "webtext:not-article"]
        if has_article:
            assert text(number(item)).strip() in item["main_text"]
    assert set(crawled.stats) == {*PROCESSES} - {KILLED}
    for name, stats in crawled.stats.items():
        own = [item for item in crawled.items if item["process"] == name]
        articles = sum(item["has_article"] for item in own)
        with_fields = stats["webtext/items/filled"] + stats.get("webtext/items/empty", 0)
        assert with_fields == stats["item_scraped_count"] == len(own)
        assert stats["webtext/responses/article"] == articles
        assert stats["webtext/responses/not_article"] == len(own) - articles
        assert stats["response_received_count"] == len(own)
        assert not [name for name in stats if name.startswith("webtext/errors/")]


def test_redis_gets_only_plain_data(crawled: Crawl) -> None:
    assert crawled.requests
    assert not [request for request in crawled.requests if "webtext" in request["meta"]]
    assert {type(value) for item in crawled.items for value in item.values()} <= {
        str, bool, float, int, list,
    }  # fmt: skip


def test_a_killed_process_loses_only_its_requests_in_flight(crawled: Crawl) -> None:
    assert crawled.seen == PAGES - 1  # all but the first, to which no page links
    taken = "scheduler/dequeued/redis"
    taken_by_others = sum(stats.get(taken, 0) for stats in crawled.stats.values())
    in_flight = PAGES - taken_by_others - crawled.by_process[KILLED]
    lost = set(range(PAGES)) - set(map(number, crawled.items))
    assert len(lost) == in_flight
    # Requests that it downloaded, and pages in its spider and pipelines.
    assert 0 <= in_flight <= 4 * CONCURRENCY
    assert len(crawled.items) == PAGES - len(lost)


def test_the_recipe_crawls_the_site(
    recipe: Callable[..., Recipe], site: str, client: redis.Redis, server: int
) -> None:
    followed = recipe("scrapy-redis", {"127.0.0.1:6379": f"127.0.0.1:{server}"})
    followed.follow()
    items = [json.loads(data) for data in client.lrange("shared:items", 0, -1)]
    (item,) = items
    assert item["url"] == f"{site}/article"
    assert item["has_article"] is True
