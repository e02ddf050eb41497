"""Settings: each value is validated; each error names setting, value and the allowed values."""

import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_webtext.addon import Addon
from scrapy_webtext.downloadermiddleware import WebtextDownloaderMiddleware
from scrapy_webtext.errors import (
    MissingExtraError,
    ModelError,
    SettingsError,
    UnknownExtractorError,
    UnknownJudgeError,
    WebtextError,
)
from scrapy_webtext.pipeline import WebtextPipeline
from scrapy_webtext.settings import DECLARED, WebtextSettings
from tests.crawls.faulty import NoJudgement, RaisingJudge, Shout
from tests.kits import settings_table

HERE = Path.cwd()
PAGE = settings_table.PAGE.read_text("utf-8")


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


def test_the_docs_list_all_settings_for_scrapy_lint() -> None:
    (block,) = re.findall(r"^known-settings = \[$(.*?)^\]$", PAGE, re.M | re.S)
    assert block.split() == [f'"{name}",' for name in DECLARED]


def test_values_from_the_command_line_are_strings() -> None:
    settings = read(
        THRESHOLD="0.7",
        ENABLED="False",
        MAX_BODY_SIZE="1000",
        EXTRACTOR_OPTIONS='{"reading": "paper"}',
        EXTRACTOR="pvalue",
        FIELDS='{"main_text_score": null}',
    )
    assert settings.threshold == 0.7
    assert settings.enabled is False
    assert settings.max_body_size == 1000
    assert settings.extractor_options == {"reading": "paper"}
    assert "main_text_score" not in settings.fields


def test_a_preset_of_fields_can_be_named() -> None:
    fields = read(FIELDS="zyte-article").fields
    assert fields["main_text"] == "articleBody"
    assert fields["title"] == "headline"
    assert "has_article" not in fields


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("ENABLED", "perhaps", "WEBTEXT_ENABLED = 'perhaps' is not allowed: it must be True or"),
        ("EXTRACTOR", "", "WEBTEXT_EXTRACTOR = '' is not allowed"),
        ("EXTRACTOR", "bta", "WEBTEXT_EXTRACTOR: Unknown extractor 'bta'; known: "),
        ("EXTRACTOR", "no.such.module.Class", "cannot be imported"),
        ("EXTRACTOR", "collections.OrderedDict", "it has no method extract"),
        ("EXTRACTOR_OPTIONS", {"radius": 3}, "Unknown option 'radius' for extractor"),
        ("EXTRACTOR_OPTIONS", "not json", "it must be a dict, or a JSON object"),
        ("JUDGE", "jury", "WEBTEXT_JUDGE: Unknown judge 'jury'"),
        ("JUDGE_OPTIONS", {"reading": "some"}, "reading='some' is not allowed"),
        ("THRESHOLD", 1.01, "WEBTEXT_THRESHOLD = 1.01 is not allowed: it must be a number from"),
        ("THRESHOLD", "half", "a number from 0 to 1"),
        ("THRESHOLD", float("nan"), "a number from 0 to 1"),
        ("ACTION", "drop", "one of 'flag', 'drop_items', 'articles_only', 'ignore'"),
        ("FIELDS", {"text": "body"}, "WEBTEXT_FIELDS has the key 'text'; results are: "),
        ("FIELDS", {"main_text": 3}, "the name of a field, or None"),
        ("FIELDS", "zyte", "or the name of a preset: 'zyte-article'"),
        ("FIELDS", {"main_text": "p_value"}, "without two results in the same field"),
        ("MAX_BODY_SIZE", -1, "a whole number of bytes"),
        ("MAX_BODY_SIZE", "5 MB", "a whole number of bytes"),
        ("MAX_ELEMENTS", 0.9, "a whole number of elements"),
        ("MAX_ELEMENTS", 10**300, "a whole number of elements"),
        ("MAX_ELEMENTS", 10**400, "a whole number of elements"),
        ("MAX_ELEMENTS", True, "a whole number of elements"),
        ("THRESHOLD", 10**400, "a number from 0 to 1"),
        ("THRESHOLD", True, "a number from 0 to 1"),
        ("EXTRACTOR_OPTIONS", {"model": "no.json"}, f"WEBTEXT_EXTRACTOR_OPTIONS: Model {HERE}/no"),
        ("FIX_ENCODING", "maybe", "True or False"),
        ("EXTRACTOR", "tests.test_settings.Ready", "name its class"),
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


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"fields": {}}, "Unknown key 'fields'"),
        ({"threshold": 2}, "request.meta[\"webtext\"]['threshold'] = 2 is not allowed"),
        ({"extractor": "bta"}, "['extractor'] = 'bta' is not allowed: it must be one of bte, "),
        ({"extractor": "subprocess.Popen"}, "for others use WEBTEXT_EXTRACTOR or"),
        ({"judge": "tests.crawls.faulty.NoJudgement"}, "for others use WEBTEXT_JUDGE or"),
        ({"extractor_options": {"radius": 3}}, "Unknown option 'radius'"),
        (
            {"extractor": "naive_bayes", "extractor_options": {"model": "/etc/passwd"}},
            "names a file, 'model': only WEBTEXT_EXTRACTOR_OPTIONS may",
        ),
        ({"judge": "learned", "judge_options": {"model": "m.json"}}, "only WEBTEXT_JUDGE_OPTIONS"),
        ({1: 2}, "Unknown key 1"),
    ],
)
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


def test_an_extractor_without_its_extra_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[clustering\]'"):
        read(EXTRACTOR="ttr", EXTRACTOR_OPTIONS={"clustering": "kmeans"})


class OwnPipeline(WebtextPipeline):
    """A subclass in a project."""


@pytest.mark.parametrize("own", ["scrapy_webtext.pipeline.WebtextPipeline", OwnPipeline])
def test_the_add_on_keeps_components_that_a_project_placed_or_disabled(own: Any) -> None:
    placed = {own: 7, "x.Other": 5}
    settings = Settings({"ITEM_PIPELINES": placed, "FEED_EXPORTERS": {"csv": None}})
    Addon().update_settings(settings)
    assert settings.getdict("ITEM_PIPELINES") == placed
    assert WebtextDownloaderMiddleware in settings.getdict("DOWNLOADER_MIDDLEWARES")
