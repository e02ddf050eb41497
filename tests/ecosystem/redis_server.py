"""A Redis server of one's own on a free loopback port."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from tests.ecosystem.ports import free_port


@contextmanager
def running_redis(folder: Path) -> Iterator[int]:
    """Start Debian's ``redis-server`` in this folder; gives its port."""
    port = free_port()
    server = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
        stdout=subprocess.DEVNULL,
    )
    try:
        client = redis.Redis(port=port)
        for _ in range(200):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
        yield port
    finally:
        client.close()
        server.terminate()
        server.wait()
