"""Settings: each value is validated; each error names setting, value and the allowed values."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_webtext.addon import Addon
from scrapy_webtext.downloadermiddleware import WebtextDownloaderMiddleware
from scrapy_webtext.errors import (
    ModelError,
    SettingsError,
    UnknownExtractorError,
    UnknownJudgeError,
    WebtextError,
)
from scrapy_webtext.pipeline import WebtextPipeline
from scrapy_webtext.settings import REMOVED, WebtextSettings
from tests.crawls.faulty import NoJudgement, RaisingJudge, Shout
from tests.kits import settings_table
from tests.kits.data import read_json

HERE = Path.cwd()
CASES = read_json(__file__, "wrong_settings.json")
PAGE = (settings_table.DOCS / "settings.md").read_text("utf-8")


def read(**given: Any) -> WebtextSettings:
    """Return the settings, after extractor and judge are made."""
    settings = WebtextSettings.from_settings(
        Settings({f"WEBTEXT_{k}": v for k, v in given.items()})
    )
    settings.make()
    return settings


@pytest.mark.parametrize("field", fields(WebtextSettings), ids=lambda field: field.name)
def test_every_setting_is_read_and_has_its_row_in_the_docs(field: Any) -> None:
    name = field.name.upper()
    assert read(**{name: getattr(WebtextSettings(), field.name)}) == WebtextSettings()
    assert f"\n- `WEBTEXT_{name}` (" in PAGE


def test_tables_in_the_docs_agree_with_the_declarations() -> None:
    for name, lists in settings_table.tables().items():
        page = (settings_table.DOCS / name).read_text("utf-8")
        assert settings_table.with_tables(page, lists) == page


def test_values_from_the_command_line_are_strings() -> None:
    settings = read(
        THRESHOLD="0.7",
        ENABLED="False",
        MAX_BODY_SIZE="1000",
        EXTRACTOR_OPTIONS='{"reading": "paper"}',
        EXTRACTOR="pvalue",
        FIELDS='{"main_text_score": null}',
        REPEATS="None",
    )
    assert settings.repeats is None
    assert settings.threshold == 0.7
    assert settings.enabled is False
    assert settings.max_body_size == 1000
    assert settings.extractor_options == {"reading": "paper"}
    assert "main_text_score" not in settings.fields


@pytest.mark.parametrize(
    "given", [["title", "published"], ("title", "published"), "title, published"]
)
def test_a_list_of_fields_gives_each_its_own_name(given: Any) -> None:
    assert read(FIELDS=given) == read(FIELDS={"title": "title", "published": "published"})


@pytest.mark.parametrize("name", REMOVED)
def test_a_removed_setting_logs_what_takes_its_place(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    read(**{name.removeprefix("WEBTEXT_"): 1})
    assert caplog.messages == [f"webtext: unknown setting {name}: it was removed; {REMOVED[name]}"]


def test_a_preset_of_fields_can_be_named() -> None:
    fields = read(FIELDS="zyte-article").fields
    assert fields["main_text"] == "articleBody"
    assert fields["title"] == "headline"
    assert "has_article" not in fields


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        *CASES["wrong values"],
        ("THRESHOLD", 10**400, "a number from 0 to 1"),
        ("MAX_ELEMENTS", 10**400, "a whole number of elements"),
        ("EXTRACTOR_OPTIONS", {"model": "no.json"}, f"WEBTEXT_EXTRACTOR_OPTIONS: Model {HERE}/no"),
    ],
)
def test_a_wrong_value_is_named_with_the_allowed_values(
    setting: str, value: Any, message: str
) -> None:
    extractor = "naive_bayes" if "model" in str(value) else "pvalue"
    options = {"EXTRACTOR": extractor} if setting == "EXTRACTOR_OPTIONS" else {}
    with pytest.raises((SettingsError, ModelError), match=r".") as error:
        read(**{**options, setting: value})
    assert message in str(error.value)
    assert f"WEBTEXT_{setting}" in str(error.value)
    assert not isinstance(error.value.__cause__, WebtextError)  # one message, printed once


@pytest.mark.parametrize("name", ["bta", "no.such.module.Class"])
def test_unknown_names_have_an_error_of_their_own(name: str) -> None:
    with pytest.raises(UnknownExtractorError):
        read(EXTRACTOR=name)
    with pytest.raises(UnknownJudgeError):
        read(JUDGE=name)


def test_request_meta_overrides_and_resets_options_with_the_extractor() -> None:
    settings = read(EXTRACTOR="pvalue", EXTRACTOR_OPTIONS={"reading": "paper"})
    assert settings.for_request({"threshold": 0.9}).extractor_options == {"reading": "paper"}
    other = settings.for_request({"extractor": "bte"})
    assert other.extractor_options == {}
    assert other.threshold == settings.threshold


@pytest.mark.parametrize(("overrides", "message"), [*CASES["wrong meta"], ({1: 2}, "key 1")])
def test_wrong_overrides_are_named(overrides: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        read().for_request(overrides)
    assert message in str(error.value)


def test_a_class_is_read_as_its_path_if_it_has_one() -> None:
    class Local(Shout):
        pass

    assert read(EXTRACTOR=Local).extractor is Local
    assert read(EXTRACTOR=Shout).extractor == "tests.crawls.faulty.Shout"
    assert read(JUDGE=RaisingJudge).judge == "tests.crawls.faulty.RaisingJudge"


def test_requests_may_choose_the_class_and_the_options_of_the_settings() -> None:
    loud = read(EXTRACTOR=Shout, JUDGE="tests.crawls.faulty.NoJudgement")
    given = {"extractor": "tests.crawls.faulty.Shout", "judge": "tests.crawls.faulty.NoJudgement"}
    made = loud.for_request(given).make()
    assert [type(one) for one in made] == [Shout, NoJudgement]
    same = read(EXTRACTOR="naive_bayes", EXTRACTOR_OPTIONS={"model": None})
    given = {"extractor": "naive_bayes", "extractor_options": {"model": None}}
    assert same.for_request(given) == same


def test_a_function_is_refused_and_not_called() -> None:
    with pytest.raises(SettingsError, match="is no extractor: it has no method"):
        read(EXTRACTOR="tests.test_settings.never", EXTRACTOR_OPTIONS={"args": ["touch", "x"]})


def never(**options: Any) -> None:
    raise AssertionError("called")


Ready = Shout()


def test_an_unknown_setting_logs_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    assert read(ACTON="flag") == WebtextSettings()
    assert caplog.messages == [
        "webtext: unknown setting WEBTEXT_ACTON; did you mean WEBTEXT_ACTION?"
    ]


class OwnPipeline(WebtextPipeline):
    """A subclass in a project."""


@pytest.mark.parametrize("own", ["scrapy_webtext.pipeline.WebtextPipeline", OwnPipeline])
def test_the_add_on_keeps_components_that_a_project_placed_or_disabled(own: Any) -> None:
    placed = {own: 7, "x.Other": 5}
    settings = Settings({"ITEM_PIPELINES": placed, "FEED_EXPORTERS": {"csv": None}})
    Addon().update_settings(settings)
    assert settings.getdict("ITEM_PIPELINES") == placed
    assert WebtextDownloaderMiddleware in settings.getdict("DOWNLOADER_MIDDLEWARES")
