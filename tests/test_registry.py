"""What is registered is described, and tested by itself."""

from pathlib import Path

import pytest

import scrapy_webtext
from scrapy_webtext.registry import EXTRACTORS, JUDGES

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "extractors.md").read_text("utf-8")


@pytest.mark.parametrize("name", [*EXTRACTORS, *JUDGES])
def test_what_is_registered_has_its_row_in_the_docs(name: str) -> None:
    assert f"\n| `{name}` | " in PAGE


@pytest.mark.parametrize("name", EXTRACTORS)
def test_every_extractor_has_its_page_with_a_picture_and_its_tests(name: str) -> None:
    docs, tests = ROOT / "docs", ROOT / "tests" / "extractors"
    places = [docs / f"{name}.md", docs / "algorithms" / f"{name}.md"]
    (page,) = [place.read_text("utf-8") for place in places if place.is_file()]
    assert f"images/{name}.png)" in page
    assert (tests / f"test_{name}.py").is_file() or (tests / name).is_dir()


def test_the_page_of_the_api_has_every_public_name_and_every_registered_class() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    for name in scrapy_webtext.__all__:
        assert name in page
    for target in (*EXTRACTORS.values(), *JUDGES.values()):
        assert f".. autoclass:: {target}\n" in page


@pytest.mark.parametrize("registered", [EXTRACTORS, JUDGES])
def test_registered_names_are_those_of_their_classes(registered: dict[str, str]) -> None:
    for name, target in registered.items():
        module, _, attribute = target.rpartition(".")
        found = getattr(__import__(module, fromlist=[attribute]), attribute)
        assert found.name == name
