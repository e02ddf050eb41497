"""Runs the real command in a process of its own."""

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


def webtext(
    *args: str | Path, stdin: str = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``scrapy webtext`` with these arguments."""
    assert "webtext" in entry_points(group="scrapy.commands").names, (
        "the command is not installed: run pip install -e . in the checkout"
    )
    return subprocess.run(
        [sys.executable, "-m", "scrapy", "webtext", *map(str, args)],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        cwd=cwd,
        env=ENVIRONMENT,
        check=False,
    )


def refused(*args: str | Path, stdin: str = "", cwd: Path | None = None) -> str:
    """Run what must be refused; return the one line that says why."""
    done = webtext(*args, stdin=stdin, cwd=cwd)
    assert done.returncode == 2, done
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]
