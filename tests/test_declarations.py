"""A new result field or extractor is declared in one place, as CONTRIBUTING.md describes."""

import shutil
from pathlib import Path

import pytest

import scrapy_webtext
from tests.kits import settings_table
from tests.kits.processes import python

PACKAGE = Path(scrapy_webtext.__file__).parent
TESTS = Path(__file__).parent


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a copy of the package, not compiled, with the module that writes the docs."""
    compiled = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "*.pyx", "__pycache__")
    package = shutil.copytree(PACKAGE, tmp_path / "scrapy_webtext", ignore=compiled)
    kits = tmp_path / "tests" / "kits"
    kits.mkdir(parents=True)
    shutil.copy(TESTS / "kits" / "settings_table.py", kits)
    return package


def insert(path: Path, after: str, text: str) -> None:
    source = path.read_text("utf-8")
    assert source.count(after) == 1, after
    path.write_text(source.replace(after, after + text), "utf-8")


#: An editable install would find the compiled modules of the package that was copied.
ONLY_THE_COPY = "import sys; sys.meta_path = [f for f in sys.meta_path if 'ditable' not in repr(f)]"


LONGEST = """
from dataclasses import dataclass
from typing import ClassVar
from scrapy_webtext.results import Extraction

@dataclass(frozen=True)
class Longest:
    name: ClassVar[str] = "longest"

    def extract(self, page):
        return Extraction(max(page.blocks.text, key=len, default=""), 1.0, self.name)
"""
USE = """
from tests.kits.settings_table import tables
assert any("- `sponsors`: Who paid for it." in table for table in tables())

from scrapy_webtext import extract, fill
html = "<meta property='article:tag' content='Acme'><article><p>One day it rained.</p></article>"
result = extract(html, include="sponsors")
assert result.sponsors == ("Acme",)

from scrapy.settings import Settings
from scrapy_webtext.settings import WebtextSettings
given = {"WEBTEXT_FIELDS": {"sponsors": "paid_by"}, "WEBTEXT_EXTRACTOR": "longest"}
settings = WebtextSettings.from_settings(Settings(given))
assert settings.reader().fields == ("sponsors",)
assert fill({}, result, settings.fields)["paid_by"] == ["Acme"]
assert settings.for_request({"extractor": "bte"}).for_request({"extractor": "longest"})
assert extract("<p>Rain.</p><p>More rain.</p>", extractor="longest").main_text == "More rain."

from importlib.util import find_spec
if find_spec("pyarrow"):
    from scrapy_webtext.archive.batch import schema_of
    schema = schema_of(settings.reader())
    assert str(schema.field("sponsors").type).startswith("list<")
"""


def test_a_field_needs_two_lines_and_an_extractor_a_file_and_a_line(copied: Path) -> None:
    insert(
        copied / "results.py",
        "    fingerprint: str | None = None\n",
        "    #: Who paid for it.\n    sponsors: tuple[str, ...] | None = None\n",
    )
    found_by = '    "sponsors": find_tags,\n'
    insert(copied / "metadata" / "fields.py", '    "breadcrumbs": find_breadcrumbs,\n', found_by)
    (copied / "extractors" / "longest.py").write_text(LONGEST)
    line = '    "longest": "scrapy_webtext.extractors.longest.Longest",\n'
    insert(copied / "registry.py", "EXTRACTORS: Final[Mapping[str, str]] = {\n", line)
    environment = {"PYTHONPATH": str(copied.parent), "WEBTEXT_PURE_PYTHON": "1"}
    python("-c", f"{ONLY_THE_COPY}\n{USE}", env=environment, cwd=copied.parent)


def test_tables_in_the_docs_agree_with_the_declarations() -> None:
    page = settings_table.PAGE.read_text("utf-8")
    assert settings_table.with_tables(page) == page
    assert "- `WEBTEXT_THRESHOLD` (`0.5`): The least probability" in page
    assert "- `main_text`: The text, one line per block" in page
