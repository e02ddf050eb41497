"""scrapy-redis: a crawl by two processes, one after the other, on a queue in a real Redis."""

import io
import json
import pickle
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from tests.ecosystem.recipes import TEXT, Recipe, run
from tests.kits.processes import free_port


class PlainUnpickler(pickle.Unpickler):
    """Reads Python's own kinds of data; refuses all others."""

    def find_class(self, module: str, name: str) -> Any:
        raise AssertionError(f"{module}.{name} is no plain data")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[redis.Redis]:
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    server = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    with redis.Redis(port=port, retry=Retry(ConstantBackoff(0.05), 200)) as connected:
        connected.ping()
        yield connected
    server.terminate()
    server.wait()


def test_the_recipe_continues_a_crawl_whose_queue_has_only_plain_data(
    recipe: Callable[..., Recipe], site: str, client: redis.Redis
) -> None:
    port = client.connection_pool.connection_kwargs["port"]
    followed = recipe("scrapy-redis", {"127.0.0.1:6379": f"127.0.0.1:{port}"})
    client.lpush("shared:start_urls", json.dumps({"url": f"{site}/list"}))
    run(f"{followed.commands[1]} -s CLOSESPIDER_ITEMCOUNT=1", followed.folder)
    waiting = [
        PlainUnpickler(io.BytesIO(data)).load() for data in client.zrange("shared:requests", 0, -1)
    ]
    assert waiting
    assert not [request for request in waiting if "webtext" in request["meta"]]
    log = followed.follow()
    assert log.count("Crawled (404)") >= len(waiting)
    items = [json.loads(data) for data in client.lrange("shared:items", 0, -1)]
    by_path = {item["url"].removeprefix(site): item for item in items}
    assert {path: item["has_article"] for path, item in by_path.items()} == {
        "/list": False, "/article": True
    }  # fmt: skip
    assert by_path["/article"]["main_text"] == TEXT
