"""The commands of docs/command.md run as they are written, and print what the page says."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.cli import ENVIRONMENT, ROOT

TEXT = (ROOT / "docs" / "command.md").read_text("utf-8")
#: Each command with what the page says that it prints.
SAID = [
    (command, said)
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.S)
    for command, said in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
]
COMMANDS = [command for command, _ in SAID]
MARK = "=== the next command ==="
#: Columns that no two runs have alike.
TIMES = ("ms median", "ms mean")


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The output of each command, one after the other in one shell."""
    folder = tmp_path_factory.mktemp("docs")
    project = folder / "example_project"
    shutil.copytree(ROOT / "example_project", project)
    scrapy = folder / "scrapy"
    scrapy.write_text(f'#!/bin/sh\nexec {sys.executable} -m scrapy "$@"\n')
    scrapy.chmod(0o755)
    path = os.pathsep.join([str(folder), ENVIRONMENT["PATH"]])
    done = subprocess.run(
        ["bash", "-ec", "\n".join(f"{command}\necho '{MARK}'" for command in COMMANDS)],
        cwd=project,
        env={**ENVIRONMENT, "PATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (project / "gulls.html").is_file()
    assert (project / "articles.jsonl").read_text("utf-8").count('"main_text"') > 70
    return done.stdout.split(f"{MARK}\n")[: len(COMMANDS)]


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


def pattern_of(said: str) -> str:
    """Return the text of the page as a pattern: "..." is any text, or on its own line any lines."""
    lines = [
        r"(?:.*\n)*" if line == "..." else r".*".join(map(re.escape, line.split("..."))) + r"\n"
        for line in without_times(said)
    ]
    return "".join(lines)


@pytest.mark.parametrize("number", range(len(COMMANDS)), ids=lambda number: COMMANDS[number][:60])
def test_a_command_prints_the_output_of_the_page(number: int, printed: list[str]) -> None:
    _, said = SAID[number]
    found = "".join(f"{line}\n" for line in without_times(printed[number]))
    if said:
        assert re.fullmatch(pattern_of(said), found), (said, found)


def test_training_helps_as_the_page_says() -> None:
    said = re.findall(r"^\| (naive_bayes\S*) +\| +([0-9.]+)", TEXT, re.M)
    (_, shipped), (_, own) = said[-2:]
    assert float(own) > float(shipped)


def test_the_page_has_every_subcommand() -> None:
    from scrapy_webtext.cli.options import SUBCOMMANDS

    for name in SUBCOMMANDS:
        assert f"| `scrapy webtext {name} " in TEXT
        assert f"\n## `{name}`: " in TEXT
