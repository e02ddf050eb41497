"""Compiled twins of functions that a page's cost is made of.

``compiled/text.pyx`` has the twins of ``page/text.py``, function by function and under the same
names. The Python functions are the specification, and what runs where there are no twins: without
a C compiler at installation. What both return is equal to the last bit.

    @compiled
    def read_runs(nodes, hidden): ...

is the twin where there is one, else the function itself.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: Functions whose twins are used.
_used: dict[str, Callable[..., Any]] = {}


def compiled(function: _Function) -> _Function:
    """Return the compiled twin of a function, or the function itself where there is none."""
    return _twin(function) or function


def in_python(name: str) -> Callable[..., Any]:
    """Return the Python function of this name whose twin is used: for what the twin leaves to it.

    ``name`` has the package in which it lies, without the name of ours: "page.text.read_runs".
    """
    return _used[f"scrapy_webtext.{name}"]


def _twin(function: _Function) -> _Function | None:
    try:
        module = import_module(f"{__name__}.{function.__module__.rpartition('.')[2]}")
    except ImportError:
        return None
    _used[_name(function)] = function
    twin: _Function = getattr(module, function.__name__)
    return twin


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"
