"""Compiled twins of functions that a page's cost is made of.

``compiled/text.pyx`` has the twins of ``page/text.py``, function by function and under the same
names. The Python functions are the specification, and what runs where there are no twins: without
a C compiler at installation, or with ``WEBTEXT_PURE_PYTHON=1`` in the environment. What both
return is equal to the last bit.

    @compiled
    def read_runs(nodes, hidden): ...

is the twin where there is one, else the function itself.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: Set to anything but "0" and "", it leaves the compiled twins alone.
VARIABLE: Final = "WEBTEXT_PURE_PYTHON"

_IS_WANTED: Final = os.environ.get(VARIABLE, "") in ("", "0")
#: Functions whose twins are used, and those that could have one and do without.
_used: dict[str, Callable[..., Any]] = {}
_unused: set[str] = set()


def compiled(function: _Function) -> _Function:
    """Return the compiled twin of a function, or the function itself where there is none."""
    return _twin(function) or _without(function)


def compiled_if(
    is_alike: Callable[[_Function, _Function], bool],
) -> Callable[[_Function], _Function]:
    """Return what `compiled` does, if the twin does what the function does on this machine.

    ``is_alike`` is called with twin and function. Where it says no, or raises, one warning says
    so, and the function itself is used.
    """

    def checked(function: _Function) -> _Function:
        twin = _twin(function)
        if twin is None:
            return _without(function)
        try:
            fault = "" if is_alike(twin, function) else "it differs from the Python function"
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        if not fault:
            return twin
        warnings.warn(
            f"The compiled {function.__qualname__} is not used ({fault}): pages cost more CPU. "
            "Build scrapy_webtext anew for the lxml that is installed",
            RuntimeWarning,
            stacklevel=2,
        )
        del _used[_name(function)]
        return _without(function)

    return checked


def is_in_use() -> bool:
    """Whether all that could be compiled is, as far as it was imported."""
    return bool(_used) and not _unused


def in_python(name: str) -> Callable[..., Any]:
    """Return the Python function of this name whose twin is used: for what the twin leaves to it.

    ``name`` has the package in which it lies, without the name of ours: "page.text.read_runs".
    """
    return _used[f"scrapy_webtext.{name}"]


def _twin(function: _Function) -> _Function | None:
    if not _IS_WANTED:
        return None
    try:
        module = import_module(f"{__name__}.{function.__module__.rpartition('.')[2]}")
    except ImportError:
        return None
    _used[_name(function)] = function
    twin: _Function = getattr(module, function.__name__)
    return twin


def _without(function: _Function) -> _Function:
    _unused.add(_name(function))
    return function


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"
