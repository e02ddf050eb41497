"""Python blocks of recipes.md, operating.md and settings.md run; their settings are valid."""

import re
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.settings import Settings

from scrapy_webtext import extract
from scrapy_webtext.settings import WebtextSettings

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
BLOCKS = [
    pytest.param(block, id=f"{name}: {block.splitlines()[0]}")
    for name in ("recipes.md", "operating.md", "settings.md", "sites.md")
    for block in BLOCK.findall((DOCS / name).read_text("utf-8"))
]


def names_of(block: str) -> dict[str, Any]:
    """Return the names that a block defines; a bare ``yield`` is the body of a method."""
    if block.startswith("yield "):
        block = f"def start():\n    {block}"
    names: dict[str, Any] = {"scrapy": scrapy, "url": "https://example.com/"}
    exec(compile(block, "recipe", "exec"), names)
    return names


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_runs_and_its_settings_are_valid(block: str) -> None:
    names = names_of(block)
    given = {name: value for name, value in names.items() if name.startswith("WEBTEXT_")}
    given.pop("WEBTEXT_EXTRACTOR", None)  # a class of a project
    settings = WebtextSettings.from_settings(Settings(given))
    assert WebtextSettings.unknown(Settings(given)) == []
    for result, field in given.get("WEBTEXT_FIELDS", {}).items():
        assert settings.fields.get(result) == field


def test_the_extractor_of_the_recipe_extracts() -> None:
    (block,) = (b for b in BLOCK.findall((DOCS / "recipes.md").read_text("utf-8")) if "LongB" in b)
    long_blocks = names_of(block)["LongBlocks"]
    text = "The harbour was quiet that morning, and nobody saw the boat leave. " * 2
    result = extract(f"<p>{text}</p><p>Short.</p>", extractor=long_blocks)
    assert result.main_text == text.strip()
    assert result.extractor == "long_blocks"
