"""Workers of both kinds, and one of a process."""

from collections.abc import Iterator
from typing import Any

import pytest

from scrapy_webtext.worker import Worker
from tests.kits import workload
from tests.worker.kinds import KINDS


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Any:
    workload.SETUPS.clear()
    return request.param


@pytest.fixture
def one() -> Iterator[Worker]:
    worker = Worker("process", 30)
    yield worker
    worker.close()
