"""The example project: its pages, and crawls of it in processes of their own."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]

PROJECT = ROOT / "example_project"

SITE = PROJECT / "news" / "site"

ROUTES = {route["path"]: route for route in json.loads((SITE / "routes.json").read_text("utf-8"))}

PAGES = {path: route for path, route in ROUTES.items() if route.get("file", "").endswith(".html")}

LABELLED = {path: route for path, route in PAGES.items() if route["file"].startswith("labelled/")}

FIELDS = {"main_text", "has_article", "p_value", "main_text_score", "article_probability"}

#: The expected texts, captions included, are those of the P value.
EXTRACT_BY_P_VALUE = ("-s", "WEBTEXT_EXTRACTOR=pvalue")
JUDGE_BY_P_VALUE = ("-s", "WEBTEXT_JUDGE=pvalue")


@dataclass(frozen=True)
class Crawl:
    items: list[dict[str, Any]]
    log: str

    @property
    def by_path(self) -> dict[str, dict[str, Any]]:
        return {path_of(item["url"]): item for item in self.items}

    @property
    def stats(self) -> dict[str, float]:
        """The numbers that Scrapy prints when a spider closes."""
        return {
            name: float(value) for name, value in re.findall(r"'([\w/]+)': ([\d.]+)[,}]", self.log)
        }

    @property
    def closing_line(self) -> str:
        (line,) = re.findall(r"\[scrapy_webtext\] INFO: (webtext: \d+ pages judged.*)", self.log)
        return str(line)


def path_of(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def run(output: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``scrapy crawl`` as a user does, with this checkout's package."""
    return subprocess.run(
        [sys.executable, "-W", "default", "-m", "scrapy", "crawl", *arguments, "-O", str(output)],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


class Crawls:
    """Crawls that several tests look at, each run once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.of = cache(self._crawl)

    def _crawl(self, *arguments: str) -> Crawl:
        output = self._folder / f"{abs(hash(arguments))}.jsonl"
        extractor = () if arguments[0] == "own_extractor" else EXTRACT_BY_P_VALUE
        judge = () if arguments[0] == "articles" else JUDGE_BY_P_VALUE
        done = run(output, *arguments, *extractor, *judge)
        assert done.returncode == 0, done.stderr
        assert "Traceback (most recent" not in done.stderr, done.stderr
        assert "DeprecationWarning" not in done.stderr, done.stderr
        lines = output.read_text("utf-8").split("\n")
        return Crawl([json.loads(line) for line in lines if line], done.stderr)


def squeezed(text: str) -> str:
    """The text without white space and marks between cells, which are a matter of form."""
    return "".join(text.replace(" | ", " ").split())
