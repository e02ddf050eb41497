from __future__ import annotations

import json
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import models
from scrapy_webtext.errors import ModelError
from scrapy_webtext.models import ModelFile, dump_model, load_model


def write(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_model_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    content = {"kind": "toy", "version": 3, "weights": [0.1, 2, -1e-9], "名": {"a": ["x"]}, "n": 7}
    path = write(tmp_path / "toy.json", dump_model(content))
    model = load_model(path, kind="toy", version=3)
    assert model.content == content
    assert model.numbers("weights", 3) == (0.1, 2.0, -1e-9)
    assert model.section("名").strings("a") == ("x",)
    assert model.integer("n", 0, 7) == 7
    assert ModelFile("toy", {"a": 1, "b": 0.5}).numbers_by_key() == {"a": 1.0, "b": 0.5}
    assert ModelFile("toy", {"l": [1, 2]}).integers("l", 2, 1, 2) == (1, 2)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nowhere\.json cannot be read: No such file"):
        load_model(tmp_path / "nowhere.json", kind="toy", version=1)
    with pytest.raises(ModelError, match=r"toy\.json cannot be read"):
        load_model(None, kind="toy", version=1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "damaged: no JSON"),
        ('{"kind": "toy", "version": 1', "damaged: no JSON"),
        ("\0\1", "damaged: no JSON"),
        ("[" * 100_000, "damaged"),
        ([1], "expected an object"),
        ({}, "of kind None, this release needs kind 'toy'"),
        ({"kind": "other", "version": 1}, "of kind 'other', this release needs kind 'toy'"),
        ({"kind": "toy"}, "of version None, this release needs version 1"),
        ({"kind": "toy", "version": 2}, "of version 2, this release needs version 1"),
        ('{"kind": "toy", "version": 1, "x": 1' + "0" * 9_000 + "}", "damaged: no JSON"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_with_the_reason(
    tmp_path: Path, content: object, message: str
) -> None:
    path = write(tmp_path / "toy.json", content)
    with pytest.raises(ModelError, match=message) as caught:
        load_model(path, kind="toy", version=1)
    assert "toy.json" in str(caught.value)


def test_a_file_beyond_the_size_limit_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "MAX_BYTES", 100)
    path = write(tmp_path / "toy.json", {"kind": "toy", "version": 1, "x": "y" * 100})
    with pytest.raises(ModelError, match="larger than 100 bytes"):
        load_model(path, kind="toy", version=1)


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda m: m.section("n"), "'n' must be an object, got 7"),
        (lambda m: m.strings("l"), "'l' must be a list of strings"),
        (lambda m: m.integer("f", 0, 9), "'f' must be an integer"),
        (lambda m: m.integer("t", 0, 9), "'t' must be an integer"),
        (lambda m: m.integer("n", 0, 1), r"'n' must be an integer in \[0, 1\], got 7"),
        *(
            (lambda m, n=n: ModelFile("x", {"x": [0, n]}).numbers("x"), "a list of numbers in")
            for n in ("z", True, inf, nan, -(10**400))
        ),
        (lambda m: m.numbers_by_key(), "toy: each value must be a number; train the model again"),
        (lambda m: m.numbers("l", 3), "'l' must be a list of 3 numbers"),
        (lambda m: m.numbers("l", 2, 0, 1), r"'l' must be a list of 2 numbers in \[0, 1\]"),
        (lambda m: m.numbers("n"), "'n' must be a list of numbers"),
        (lambda m: m.integers("l"), "'l' must be a list of integers"),
        (lambda m: m.section("o").numbers("x"), "toy, o: 'x' is missing; train the model again"),
    ],
)
def test_a_value_that_is_not_what_its_reader_expects_is_named(read: Any, message: str) -> None:
    model = ModelFile("toy", {"n": 7, "s": "z", "t": True, "f": 0.5, "l": [1, 2.5], "o": {}})
    with pytest.raises(ModelError, match=message):
        read(model)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(body=st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
def test_whatever_stands_in_a_file_is_refused_as_a_model_error(
    tmp_path_factory: pytest.TempPathFactory, body: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(body)
    with pytest.raises(ModelError, match=r"any\.json"):
        load_model(path, kind="toy", version=1)
