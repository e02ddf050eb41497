"""The Markdown files: links lead somewhere, figures have commands, blocks of Python run."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.settings import Settings

from scrapy_webtext import extract
from scrapy_webtext.settings import WebtextSettings

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
#: Sphinx checks the links on the pages of the site.
FILES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "example_project/*.md", "scrapy_webtext/**/*.md")
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^()\s]*)\)")


def read_text(path: Path) -> str:
    """Return the text of a file without blocks of code."""
    return re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)


def find_anchors(path: Path) -> set[str]:
    """Return the anchors of headings, as in the repository's browser and on the site."""
    headings = re.findall(r"^#+ (.*)$", read_text(path), re.M)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-") for heading in headings
    }


def test_relative_links_lead_to_files_and_headings() -> None:
    prose = {path: re.sub(r"`[^`\n]*`", "", read_text(path)) for path in FILES}
    links = [(path, link) for path, text in prose.items() for link in LINK.findall(text)]
    assert len(links) > 50
    for path, link in links:
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), f"{path.name}: {link}"
        if anchor:
            assert anchor in find_anchors(target), f"{path.name}: {link}"


#: Pages whose figures other tests compare with output of commands, or without measurements.
COMPARED = {"command.md", "tutorial.md", "settings.md"}
PAGES = sorted(
    path for path in (ROOT / "README.md", *DOCS.rglob("*.md")) if path.name not in COMPARED
)
DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
COMMAND = re.compile(
    r"python -m |scrapy webtext |pytest |\.md#|\.md\)|\]\(#"  # or the page that has the command
    r"|[Cc]ommit [0-9a-f]{7}"  # or the last commit that could measure it
)
#: A line of a command that a checkout has.
RUN = re.compile(r"^    python -m (tests[\w.]+)", re.MULTILINE)
#: A row of a table with two measured numbers, such as "| 0.793 | 12.5 |".
ROW = re.compile(r"^\|.*\d\.\d+.*\|.*\d\.\d+.*\|$", re.MULTILINE)


def sections(page: Path) -> list[tuple[str, str]]:
    """Return the headings of level 2 of a page, each with its text."""
    beginning, *rest = re.split(r"^## ", page.read_text("utf-8"), flags=re.MULTILINE)
    return [(text.partition("\n")[0], text) for text in (beginning, *rest)]


def test_a_table_of_figures_has_its_command_and_its_day() -> None:
    measured = [
        (f"{page.relative_to(ROOT)}: {heading}", text)
        for page in PAGES
        for heading, text in sections(page)
        if len(ROW.findall(text)) > 1
    ]
    assert len(measured) > 5
    assert [
        name for name, text in measured if not (COMMAND.search(text) and DAY.search(text))
    ] == []


def test_commands_of_figures_are_modules() -> None:
    names = {name for page in PAGES for name in RUN.findall(page.read_text("utf-8"))}
    assert len(names) > 5
    for name in names:
        import_module(name)


COMMAND_PAGE = (DOCS / "command.md").read_text("utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
#: Pages whose blocks are run by other tests.
RUN_ELSEWHERE = {"tutorial.md", "ecosystem.md", "archives.md", "notebooks.md"}
BLOCKS = [
    pytest.param(block, id=f"{page.name}: {block.splitlines()[0]}")
    for page in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
    if page.name not in RUN_ELSEWHERE
    for block in BLOCK.findall(page.read_text("utf-8"))
    if not block.startswith(("# changes.py", "# figures.py", "# tests/"))
]


def names_of(block: str) -> dict[str, Any]:
    """Return the names that a block defines; a bare ``yield`` is the body of a method."""
    if block.startswith("yield "):
        block = f"def start():\n    {block}"
    names: dict[str, Any] = {"scrapy": scrapy, "extract": extract, "html": "<p>It rained."}
    names["url"] = "https://example.com/"
    exec(compile(block, "recipe", "exec"), names)
    return names


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_runs_and_its_settings_are_valid(block: str) -> None:
    names = names_of(block)
    given = {name: value for name, value in names.items() if name.startswith("WEBTEXT_")}
    if "." in given.get("WEBTEXT_EXTRACTOR", ""):  # a class of a project
        del given["WEBTEXT_EXTRACTOR"]
    settings = WebtextSettings.from_settings(Settings(given))
    assert WebtextSettings.unknown(Settings(given)) == []
    for result, field in given.get("WEBTEXT_FIELDS", {}).items():
        assert settings.fields.get(result) == field


@pytest.mark.parametrize(
    ("old", "new", "printed"),
    [("aabb", "aabb", []), ("aab", "aac", ["-b", "+c"]), ("ab", "aab", ["+a"])],
)
def test_the_recipe_prints_the_lines_that_changed(
    old: str, new: str, printed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, texts in (("old.jsonl", old), ("new.jsonl", new)):
        rows = [{"url": "https://example.com/", "main_text": text} for text in texts]
        Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    exec(re.search(r"^# changes.py\n(.*?)^```$", COMMAND_PAGE, re.M | re.S)[1], {})
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith(("---", "+++", "@@"))] == printed


def test_the_recipe_prints_the_figures_of_each_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [("b.example", "four", True), ("a.example", None, None), ("b.example", "", False)]
    names = ("url", "main_text", "has_article")
    items = [dict(zip(names, (f"https://{host}/", *row), strict=True)) for host, *row in rows]
    Path("stories.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in items))
    page = (DOCS / "sites.md").read_text("utf-8")
    (block,) = re.findall(r"^# figures.py\n(.*?)^```$", page, re.M | re.S)
    exec(block, {})
    assert capsys.readouterr().out.splitlines() == ["a.example 1 0 0", "b.example 2 1 2.0"]


def test_the_extractor_of_the_recipe_extracts() -> None:
    (block,) = (b for b in BLOCK.findall((DOCS / "recipes.md").read_text("utf-8")) if "LongB" in b)
    long_blocks = names_of(block)["LongBlocks"]
    text = "The harbour was quiet that morning, and nobody saw the boat leave. " * 2
    result = extract(f"<p>{text}</p><p>Short.</p>", extractor=long_blocks)
    assert result.main_text == text.strip()
    assert result.extractor == "long_blocks"
