"""A call, what comes of it, and how it is made: the same in a thread and in another process."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import Enum
from time import perf_counter
from typing import Any, Final

#: Results of setups that a backend keeps. The one longest unused goes first.
MAX_SETUPS: Final = 100


class _Placeholder(Enum):
    SETUP_RESULT = "SETUP_RESULT"


#: Among the arguments of a call: what its setup returned.
SETUP_RESULT: Final = _Placeholder.SETUP_RESULT


@dataclass(frozen=True, slots=True)
class Call:
    """A call to be made. Setups with equal keys are the same."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    setup: Callable[[], Any] | None = None
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call returned or raised, and the seconds that it took once it was set up."""

    value: Any
    error: BaseException | None
    seconds: float = 0.0


class Event(Enum):
    """What else may become of a call."""

    BEGUN = "BEGUN"  #: the setup is done, the function begins
    DIED = "DIED"  #: the process ended
    LATE = "LATE"  #: the limit passed
    CLOSED = "CLOSED"  #: the worker was closed


#: The number of a call and what came of it.
Message = tuple[int, Answer | Event]


class Setups:
    """What the setups of one backend returned."""

    def __init__(self) -> None:
        self._results: dict[Hashable, Any] = {}

    def result(self, call: Call) -> Any:
        """Return what the setup of a call returns or has returned; None where it has none."""
        if call.setup is None:
            return None
        if call.key in self._results:
            result = self._results.pop(call.key)
        else:
            while len(self._results) >= MAX_SETUPS:
                del self._results[next(iter(self._results))]
            result = call.setup()
        self._results[call.key] = result  # the last of them now
        return result


def perform(call: Call, setups: Setups, begin: Callable[[], None]) -> Answer:
    """Make a call, whatever it raises. ``begin`` is called between its setup and its function."""
    seconds = 0.0
    try:
        made = setups.result(call)
        args = [made if arg is SETUP_RESULT else arg for arg in call.args]
        begin()
        began = perf_counter()
        try:
            value = call.function(*args)
        finally:
            seconds = perf_counter() - began
    except BaseException as error:
        return Answer(None, error, seconds)
    return Answer(value, None, seconds)
