"""What a worker is told to do: make an extractor or judge once, call it, measure the call.

Everything here can be pickled by name, and imports no Scrapy: a worker process starts with it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from scrapy_webtext.registry import Part

T = TypeVar("T")

#: Extractors and judges that are kept made; requests may ask for any number of others.
MAX_PARTS: Final = 100


@dataclass(frozen=True, slots=True)
class Timed(Generic[T]):
    """What a call returned, and the seconds that it took where it was made."""

    value: T
    seconds: float


def timed(function: Callable[..., T], *args: Any) -> Timed[T]:
    """Call the function; raise what it raises."""
    began = time.perf_counter()
    value = function(*args)
    return Timed(value, time.perf_counter() - began)


class MadeParts:
    """Extractors and judges by what they were made of, the last `MAX_PARTS` that were asked for."""

    def __init__(self) -> None:
        self._made: OrderedDict[Any, Any] = OrderedDict()

    def get(self, part: Part) -> Any:
        """Return the extractor or judge, made at the first time; errors as `Part.make`."""
        key = part.key
        if key not in self._made:
            self._made[key] = part.make()
            if len(self._made) > MAX_PARTS:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]


#: Those of a worker process.
_here = MadeParts()


def load(part: Part) -> None:
    """Make a part in this worker process, if it is not there yet."""
    _here.get(part)


def call(part: Part, method: str, *args: Any) -> Timed[Any]:
    """Call a method of a part in this worker process."""
    return timed(getattr(_here.get(part), method), *args)
