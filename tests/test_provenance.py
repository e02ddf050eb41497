"""The version of an extractor: equal for equal settings, however they are given."""

import json
from pathlib import Path
from typing import Any

from scrapy.http import HtmlResponse, Request

from scrapy_webtext import extract
from scrapy_webtext.extractors.fusion import FusionExtractor
from scrapy_webtext.extractors.naive_bayes import NaiveBayesExtractor
from scrapy_webtext.models import __path__ as models
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import EXTRACTORS, make_extractor
from scrapy_webtext.settings import WebtextSettings
from tests.commands import webtext
from tests.crawls.offline import Components
from tests.kits.processes import python

FUSION = f"{FusionExtractor.__module__}.FusionExtractor"
HTML = "<article><p>One day it rained, and the boat left.</p></article>"

#: Settings that give other texts or flags.
DIFFERENT: list[dict[str, Any]] = [
    {},
    {"extractor": "bte"},
    {"extractor": "bte", "extractor_options": {"reading": "paper"}},
    {"extractor_options": {"favour": "recall"}},
    {"judge": "learned"},
    {"judge_options": {"reading": "paper"}},
    {"threshold": 0.4},
    {"repeats": "drop"},
]
#: The default settings, given in other ways.
EQUAL: list[dict[str, Any]] = [
    {"extractor": FUSION},
    {"extractor": FusionExtractor},
    {"extractor": FusionExtractor()},
    {"extractor_options": {"favour": None}},
    {"max_body_size": 1},
]


def version(**given: Any) -> str:
    return WebtextSettings(**given).reader().version


def test_versions_differ_if_and_only_if_the_settings_do() -> None:
    css = [PageReader.of(**{css: "p "}).version for css in ("within", "without")]
    assert len({*css, *(version(**given) for given in DIFFERENT)}) == len(DIFFERENT) + 2
    assert {version(**given) for given in EQUAL} == {version()}
    made = {name: make_extractor(name) for name in EXTRACTORS}
    assert [name for name in made if version(extractor=name) != version(extractor=made[name])] == []


def test_the_content_of_a_model_counts_and_not_its_path(tmp_path: Path) -> None:
    content = Path(models[0], "naive_bayes.json").read_text("utf-8")
    paths = [tmp_path / name for name in ("one.json", "two.json", "three.json")]
    for path, end in zip(paths, ("", "", "\n"), strict=True):
        path.write_text(content + end)
    found = [version(extractor=NaiveBayesExtractor(model=path)) for path in paths]
    found.append(version(extractor="naive_bayes", extractor_options={"model": str(paths[0])}))
    assert found[0] == found[1] == found[3] != found[2]
    assert len({*found, version(extractor="naive_bayes")}) == 3


def test_items_extract_and_commands_have_the_same_version(tmp_path: Path) -> None:
    expected = extract(HTML, include="extractor_version").to_dict()["extractor_version"]
    (tmp_path / "page.html").write_text(HTML)
    done = webtext("extract", tmp_path / "page.html", "--json", "--judge", "pvalue")
    code = "from tests.test_provenance import *; print(version())"
    other = python("-c", code, env={"PYTHONHASHSEED": "1", "PYTHONPATH": "."}).stdout.strip()
    crawl = Components(FIELDS={"extractor_version": "version"})
    crawled = [crawl.item_of(page())["version"] for _ in range(3)]
    assert {json.loads(done.stdout)["extractor_version"], other, *crawled} == {expected}
    assert crawl.item_of(page({"extractor": "bte"}))["version"] == version(extractor="bte")
    assert crawl.item_of(page(False))["version"] is None
    assert extract(HTML).extractor_version is None


def page(overrides: Any = None) -> HtmlResponse:
    request = Request("https://a.example/", callback=lambda _: None, meta={"webtext": overrides})
    return HtmlResponse(request.url, body=HTML.encode(), request=request)
