"""Log messages of a fault: text of a page is escaped and cut to a bound."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import SHOWN_CHARS, SHOWN_FRAMES, describe, frames_of, shown
from tests.kits.data import read_json


@given(st.text() | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp"])))
def test_any_text_is_shown_on_one_printable_line(text: str) -> None:
    assert shown(text).isprintable()
    assert describe(ValueError(text)).isprintable()
    assert len(shown(text * 100)) < 10 * SHOWN_CHARS + 50


@pytest.mark.parametrize(("text", "expected"), read_json(__file__, "odd_pages.json")["shown"])
def test_text_is_shown_escaped_and_without_credentials(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_long_text_keeps_its_ends_and_names_the_missing_characters() -> None:
    text = "a" * 1_000_000 + "b"
    assert shown(text).startswith("aaa")
    assert shown(text).endswith("aab")
    assert f"[... {1_000_001 - SHOWN_CHARS} more ...]" in shown(text)


class MuteError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def test_an_error_that_cannot_be_shown_has_its_type() -> None:
    assert describe(MuteError()) == "MuteError: (its message cannot be shown)"


def test_the_frames_of_an_error_are_the_innermost() -> None:
    def fail(levels: int) -> None:
        if levels:
            fail(levels - 1)
        raise ValueError("text of a page")

    with pytest.raises(ValueError, match="text") as caught:
        fail(50)
    frames = frames_of(caught.value).splitlines()
    assert len(frames) == SHOWN_FRAMES
    assert all(frame.endswith("in fail") for frame in frames)
    assert "text of a page" not in frames_of(caught.value)
