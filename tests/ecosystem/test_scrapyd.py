"""Scrapyd: a project with the add-on, deployed and scheduled on a local Scrapyd."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.ecosystem.recipes import TEXT, Recipe
from tests.kits.processes import free_port, wait_for


def ask(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


@contextmanager
def scrapyd(folder: Path, base: str) -> Iterator[None]:
    program = Path(sys.executable).with_name("scrapyd")
    server = subprocess.Popen(
        [program], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: ask(f"{base}/daemonstatus.json"))
        yield
    finally:
        server.terminate()
        server.wait()


def test_a_deployed_spider_gives_items_with_their_text(recipe: Callable[..., Recipe]) -> None:
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    followed = recipe("Scrapyd", {"6800": str(port)})
    with scrapyd(followed.folder, base):
        followed.follow()
        wait_for(lambda: ask(f"{base}/listjobs.json?project=myproject")["finished"])
    (items,) = (followed.folder / "items" / "myproject" / "served").iterdir()
    (item,) = map(json.loads, items.read_text().splitlines())
    assert item["main_text"] == TEXT
    (log,) = (followed.folder / "logs" / "myproject" / "served").iterdir()
    assert "webtext: 1 pages judged by pvalue, 1 with an article" in log.read_text()
    assert "; 1 items filled; 0 errors" in log.read_text()
