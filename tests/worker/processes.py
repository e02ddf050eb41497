"""What tests of a worker's process share."""

from collections.abc import Iterator

import pytest

from scrapy_webtext.worker import Worker


@pytest.fixture
def one() -> Iterator[Worker]:
    worker = Worker("process", 30)
    yield worker
    worker.close()
