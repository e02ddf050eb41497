"""A site, a page and labelled pages for the subcommands."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands import ENVIRONMENT
from tests.crawls.site import Site

STORY = "The harbour was quiet that morning, and nobody saw the boat leave."
TITLE = "<title>Bøat</title><meta property='og:title' content='Bøat'>"
PAGE = f"{TITLE}<body><nav><a href='/'>Home</a></nav><article><p>{STORY}</p></article>"
MENU = "<ul>" + "<li><a href='/'>Home</a></li>" * 20 + "</ul>"


def html(text: str) -> str:
    return f"<html><title>Boat</title><body>{MENU}<article><p>{text}</p></article></body></html>"


ARTICLE: dict[str, Any] = {
    "id": "boat",
    "type": "article",
    "html": html(f"{STORY} " * 5),
    "text": f"{STORY} " * 5,
    "with": ["nobody saw"],
    "without": ["Home", "boat leave"],
}
MISLABELLED = {"id": "wrong", "type": "product", "html": html(STORY * 3), "text": "A cup, £4."}
MENU_ONLY = {"id": "menu", "type": "listing", "html": f"<body>{MENU}</body>", "text": ""}


def write_lines(path: Path, *pages: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with Site() as base:
        yield base


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "pages.jsonl", ARTICLE, MISLABELLED, MENU_ONLY)


@pytest.fixture
def without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Hide an installed package from the command."""

    def hide(package: str) -> None:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise ImportError('not installed')")
        path = f"{tmp_path}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"
        monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", path)

    return hide
