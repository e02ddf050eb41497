"""The tutorial of the docs, step by step: its site, project, commands, and what comes of them."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import ENVIRONMENT, ROOT

PAGE = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
SITE = re.compile(r"^```html\n<!-- (site/\w+\.html) -->\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"^```python\n# (\w+/[\w/]+\.py)\n(.*?)^```$", re.M | re.S)
TRANSCRIPT = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
#: Installation is what the environment of the tests is; the server is started by the fixture.
ELSEWHERE = ("python3 -m venv", ". .venv", "pip install", "python3 -m http.server")


def steps() -> list[tuple[str, str]]:
    """The commands, each with what the page says it prints."""
    found = []
    for block in TRANSCRIPT.findall(PAGE):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            if not command.startswith(ELSEWHERE):
                found.append((command, printed))
    return found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The tutorial's site, on a free port."""
    folder = tmp_path_factory.mktemp("quay")
    for name, text in SITE.findall(PAGE):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"],
        cwd=folder / "site",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(200):
        with socket.socket() as there:
            if there.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/"
    server.terminate()
    server.wait()


def test_the_tutorial_gives_what_it_says(address: str, tmp_path: Path) -> None:
    scripts = str(Path(sys.executable).parent)
    environment = {**ENVIRONMENT, "PATH": scripts + os.pathsep + ENVIRONMENT["PATH"]}
    found = steps()
    assert len(found) == 7
    for command, said in found:
        done = subprocess.run(
            ["bash", "-ec", command.replace("http://127.0.0.1:8000/", address)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
        printed = done.stdout + done.stderr
        for line in said.replace("http://127.0.0.1:8000/", address).splitlines():
            for piece in line.replace("; compiled", "").split("..."):
                assert piece.strip() in printed, (command, piece, printed)
        if command.startswith("scrapy startproject"):
            for name, text in FILE.findall(PAGE):
                with (tmp_path / name).open("a", encoding="utf-8") as file:
                    file.write("\n" + text.replace("http://127.0.0.1:8000/", address))
            # The new project waits a second before each page, which other people's sites deserve.
            with (tmp_path / "quay" / "settings.py").open("a", encoding="utf-8") as file:
                file.write("\nDOWNLOAD_DELAY = 0\n")
    assert (tmp_path / "letter.jsonl").read_text("utf-8").count('"main_text"') == 2
    assert (tmp_path / "articles.jsonl").read_text("utf-8").count("\n") == 2


def test_the_site_of_the_tutorial_has_four_pages_that_link_to_each_other() -> None:
    names = {name.removeprefix("site/") for name, _ in SITE.findall(PAGE)}
    assert names == {"index.html", "ferry.html", "library.html", "about.html"}
    linked = set(re.findall(r'href="/(\w+\.html)"', PAGE))
    assert linked == names - {"index.html"}
