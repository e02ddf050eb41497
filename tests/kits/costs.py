"""Whether work is linear in its input, by CPU time."""

from collections.abc import Callable
from time import thread_time
from typing import TypeVar

T = TypeVar("T")


def assert_linear(
    work: Callable[[T], object], make: Callable[[int], T], few: int, many: int
) -> None:
    """Raise AssertionError if work on many parts costs three times more than its share.

    ``make`` returns an input with this number of parts; its own time does not count. The least of
    three times counts, since CPU time varies on a busy machine.
    """

    def seconds(parts: int) -> float:
        made = make(parts)
        began = thread_time()
        work(made)
        return thread_time() - began

    low, high = (min(seconds(parts) for _ in range(3)) for parts in (few, many))
    assert high < many / few * 3 * max(low, 2e-3)
