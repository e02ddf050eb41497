"""The recipes of ``docs/ecosystem.md`` as projects: what the page says, and nothing else."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs" / "ecosystem.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ([\w/]+\.\w+)\n")


class Recipe:
    """A project made of one section of the page and of the page's beginning."""

    def __init__(self, heading: str, folder: Path, changes: Mapping[str, str]) -> None:
        page = DOCS.read_text("utf-8")
        beginning, *sections = re.split(r"^## ", page, flags=re.MULTILINE)
        section = next(text for text in sections if text.startswith(heading))
        self.folder = folder
        self.changes = changes
        self.commands: list[str] = []
        self.run("scrapy", "startproject", "myproject", ".")
        # The new project waits a second before each page, which other people's sites deserve.
        with (folder / "myproject" / "settings.py").open("a", encoding="utf-8") as settings:
            settings.write("\nDOWNLOAD_DELAY = 0\n")
        for kind, text in BLOCK.findall(beginning) + BLOCK.findall(section):
            self._take(kind, text)

    def _take(self, kind: str, text: str) -> None:
        named = FILE.match(text)
        if named:
            path = self.folder / named[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(self._changed(text))
        elif kind == "console":
            self.commands += [
                self._changed(line[2:]) for line in text.splitlines() if line.startswith("$ ")
            ]

    def _changed(self, text: str) -> str:
        for there, here in self.changes.items():
            text = text.replace(there, here)
        return text

    def follow(self, tracebacks: int = 0) -> str:
        """Run the commands of the recipe; return what they wrote, with so many tracebacks."""
        assert self.commands
        written = "".join(self.run(*shlex.split(command)) for command in self.commands)
        assert written.count("Traceback") == tracebacks, written
        return written

    def run(self, *command: str, timeout: float = 120) -> str:
        """Run one command in the project; return its output and log."""
        scripts = str(Path(sys.executable).parent)
        done = subprocess.run(
            command,
            cwd=self.folder,
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
