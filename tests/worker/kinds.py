"""What tests of workers share."""

from concurrent.futures import Future
from typing import Any

import pytest

from tests.kits import workload

KINDS: list[Any] = ["thread", "process"]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Any:
    workload.SETUPS.clear()
    return request.param


def ended(future: "Future[Any]") -> str:
    try:
        return str(future.result(20))
    except Exception as error:
        return type(error).__name__
