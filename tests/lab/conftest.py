"""Undo changes of logging and warnings by scored systems after each test."""

import logging
import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _logging_and_warnings_as_before() -> Iterator[None]:
    with warnings.catch_warnings():
        yield
    logging.disable(logging.NOTSET)
