"""What tests of workers share."""

from concurrent.futures import Future
from typing import Any

KINDS: list[Any] = ["thread", "process"]


def ended(future: "Future[Any]") -> str:
    try:
        return str(future.result(20))
    except Exception as error:
        return type(error).__name__
