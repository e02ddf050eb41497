"""The commands of docs/command.md and docs/tutorial.md run and print the output of the page."""

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scrapy_webtext.command import SUBCOMMANDS
from tests.commands import ENVIRONMENT, ROOT

COMMAND, TUTORIAL = (
    (ROOT / "docs" / name).read_text("utf-8") for name in ("command.md", "tutorial.md")
)
SITE = re.findall(r"^```html\n<!-- site/(\w+\.html) -->\n(.*?)^```$", TUTORIAL, re.M | re.S)
FILES = re.findall(r"^```python\n# (\w+/[\w/]+\.py)\n(.*?)^```$", TUTORIAL, re.M | re.S)
#: Commands that the environment and the server of the tests replace.
REPLACED = ("python3 -m venv", ". .venv", "pip install", "python3 -m http.server")
MARK = "=== the next command ==="
#: Columns that differ from run to run.
TIMES = ("ms median", "ms mean")


def transcript(page: str) -> list[tuple[str, str]]:
    """Return the commands of a page, each with its output."""
    return [
        (command, output)
        for block in re.findall(r"^```console\n(.*?)^```$", page, re.M | re.S)
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
        if not command.startswith(REPLACED)
    ]


def run(commands: list[str], folder: Path, streams: str) -> list[str]:
    """Run the commands in one shell; return the output of each."""
    path = os.pathsep.join([str(Path(sys.executable).parent), ENVIRONMENT["PATH"]])
    lines = [streams, *(f"{command}\necho '{MARK}'" for command in commands)]
    done = subprocess.run(
        ["bash", "-ec", "\n".join(lines)],
        cwd=folder,
        env={**ENVIRONMENT, "PATH": path},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return done.stdout.split(f"{MARK}\n")[: len(commands)]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Run the commands of command.md; return the output of each."""
    project = tmp_path_factory.mktemp("docs") / "example_project"
    shutil.copytree(ROOT / "example_project", project)
    commands = [command for command, _ in transcript(COMMAND)]
    found = run(commands, project, streams="")
    assert (project / "gulls.html").is_file()
    assert (project / "articles.jsonl").read_text("utf-8").count('"main_text"') > 70
    return dict(zip(commands, found, strict=True))


def without_times(text: str) -> Iterator[str]:
    """Yield the lines, tables without the columns of times."""
    columns: list[int] = []
    for line in text.splitlines():
        if not line.startswith("|"):
            columns = []
            yield line
            continue
        cells = line.strip("|").split("|")
        if any(cell.strip() in TIMES for cell in cells):
            columns = [n for n, cell in enumerate(cells) if cell.strip() in TIMES]
        yield "|".join(cell for n, cell in enumerate(cells) if n not in columns)


def pattern_of(output: str) -> str:
    """Return the output of a page as a pattern: "..." is any text, or on its own line any lines."""
    lines = [
        r"(?:.*\n)*" if line == "..." else r".*".join(map(re.escape, line.split("..."))) + r"\n"
        for line in without_times(output)
    ]
    return "".join(lines)


@pytest.mark.parametrize(("command", "output"), transcript(COMMAND), ids=lambda text: text[:60])
def test_a_command_prints_its_output(command: str, output: str, printed: dict[str, str]) -> None:
    found = "".join(f"{line}\n" for line in without_times(printed[command]))
    if output:
        assert re.fullmatch(pattern_of(output), found), (output, found)


def test_the_page_has_every_subcommand() -> None:
    for name in SUBCOMMANDS:
        assert f"| `scrapy webtext {name} " in COMMAND
        assert f"\n## `{name}`: " in COMMAND


@pytest.fixture
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the tutorial's site on a free port."""
    folder = tmp_path_factory.mktemp("site")
    for name, text in SITE:
        (folder / name).write_text(text, encoding="utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_the_commands_of_the_tutorial_print_its_output(address: str, tmp_path: Path) -> None:
    steps = transcript(TUTORIAL.replace("http://127.0.0.1:8000/", address))
    assert len(steps) == 7
    # The new project waits a second before each page, for the sites of other people.
    for name, text in [*FILES, ("quay/settings.py", "DOWNLOAD_DELAY = 0\n")]:
        path = tmp_path / "added" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write("\n" + text.replace("http://127.0.0.1:8000/", address))
    add = "cd added; find . -type f -exec sh -c 'cat {} >> ../{}' ';'; cd .."
    commands = [
        f"{command}\n{add}" if command.startswith("scrapy startproject") else command
        for command, _ in steps
    ]
    found = run(commands, tmp_path, streams="exec 2>&1")
    for (command, output), printed in zip(steps, found, strict=True):
        pieces = output.replace("; compiled", "").replace("\n", "...").split("...")
        missing = [piece for piece in pieces if piece.strip() not in printed]
        assert not missing, (command, printed)
    assert (tmp_path / "letter.jsonl").read_text("utf-8").count('"main_text"') == 2
    assert (tmp_path / "articles.jsonl").read_text("utf-8").count("\n") == 2
