"""The recipes of the docs as files and commands, without additions."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.crawls.site import SENTENCE

ROOT = Path(__file__).parent.parent.parent
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Text of the test site's article.
TEXT = (SENTENCE * 20).strip()
FILE = re.compile(r"# ([\w/]+\.\w+)\n")


def take_blocks(page: str, folder: Path | None, changes: Mapping[str, str]) -> list[str]:
    """Append blocks that begin with the name of a file to that file; return the commands."""
    for there, here in changes.items():
        page = page.replace(there, here)
    commands = []
    for kind, text in BLOCK.findall(page):
        named = FILE.match(text)
        if named and folder is not None:
            path = folder / named[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(text)
        elif kind == "console":
            commands += [line[2:] for line in text.splitlines() if line.startswith("$ ")]
    return commands


def run(command: str, folder: Path, timeout: float = 300) -> str:
    """Run a command in a folder; return its output and log."""
    scripts = str(Path(sys.executable).parent)
    done = subprocess.run(
        shlex.split(command),
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "PATH": scripts + os.pathsep + os.environ["PATH"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


class Recipe:
    """A project of a section of ``docs/ecosystem.md``, or of ``recipes.md`` here."""

    def __init__(self, heading: str, folder: Path, changes: Mapping[str, str]) -> None:
        page = (ROOT / "docs" / "ecosystem.md").read_text("utf-8")
        page += Path(__file__).with_name("recipes.md").read_text("utf-8")
        beginning, *sections = re.split(r"^## ", page, flags=re.MULTILINE)
        section = next(text for text in sections if text.startswith(heading))
        self.folder = folder
        run("scrapy startproject myproject .", folder)
        # A new project waits a second before each page.
        with (folder / "myproject" / "settings.py").open("a", encoding="utf-8") as settings:
            settings.write("\nDOWNLOAD_DELAY = 0\n")
        take_blocks(beginning, folder, changes)
        self.commands = take_blocks(section, folder, changes)

    def follow(self, tracebacks: int = 0) -> str:
        """Run the commands; return their output, which must have this number of tracebacks."""
        assert self.commands
        written = "".join(run(command, self.folder) for command in self.commands)
        assert written.count("Traceback") == tracebacks, written
        return written

    def items(self, name: str) -> list[dict[str, Any]]:
        """Return the items of a feed of JSON lines."""
        lines = (self.folder / name).read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]
