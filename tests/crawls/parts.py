"""What pipelines of the test crawls share."""

from typing import Any


class Part:
    """Knows the crawler."""

    def __init__(self, crawler: Any) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        return cls(crawler)
