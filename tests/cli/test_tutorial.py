"""The tutorial of the docs, step by step: its site, its project, its commands and their output."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.cli import ENVIRONMENT, ROOT

PAGE = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
SITE = re.compile(r"^```html\n<!-- (site/\w+\.html) -->\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"^```python\n# (\w+/[\w/]+\.py)\n(.*?)^```$", re.M | re.S)
TRANSCRIPT = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
#: Commands that the environment and the fixture of the tests replace.
ELSEWHERE = ("python3 -m venv", ". .venv", "pip install", "python3 -m http.server")


def steps() -> list[tuple[str, str]]:
    """The commands, each with its output in the docs."""
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
    (folder / "site").mkdir()
    for name, text in SITE.findall(PAGE):
        (folder / name).write_text(text, encoding="utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=folder / "site")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_the_commands_of_the_tutorial_print_its_output(address: str, tmp_path: Path) -> None:
    scripts = str(Path(sys.executable).parent)
    environment = {**ENVIRONMENT, "PATH": scripts + os.pathsep + ENVIRONMENT["PATH"]}
    found = steps()
    assert len(found) == 7
    for command, expected in found:
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
        for line in expected.replace("http://127.0.0.1:8000/", address).splitlines():
            for piece in line.replace("; compiled", "").split("..."):
                assert piece.strip() in printed, (command, piece, printed)
        if command.startswith("scrapy startproject"):
            for name, text in FILE.findall(PAGE):
                with (tmp_path / name).open("a", encoding="utf-8") as file:
                    file.write("\n" + text.replace("http://127.0.0.1:8000/", address))
            # The new project waits a second before each page, for the sites of other people.
            with (tmp_path / "quay" / "settings.py").open("a", encoding="utf-8") as file:
                file.write("\nDOWNLOAD_DELAY = 0\n")
    assert (tmp_path / "letter.jsonl").read_text("utf-8").count('"main_text"') == 2
    assert (tmp_path / "articles.jsonl").read_text("utf-8").count("\n") == 2


def test_the_four_pages_of_the_tutorial_link_to_each_other() -> None:
    names = {name.removeprefix("site/") for name, _ in SITE.findall(PAGE)}
    assert names == {"index.html", "ferry.html", "library.html", "about.html"}
    linked = set(re.findall(r'href="/(\w+\.html)"', PAGE))
    assert linked == names - {"index.html"}
