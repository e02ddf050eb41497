"""The code that exists in two languages, Python (``.py``) and Cython (``.pyx`` with ``.pxd``).

Elsewhere an algorithm is written once, in a ``.py`` file. A ``.pxd`` file next to it declares
types. If the package is installed with a C compiler, the ``.py`` file is compiled with these types;
else Python ignores the ``.pxd`` file. `reader` exists only compiled: `page.parse` does the same in
Python.
"""

from importlib import import_module
from typing import Any


def compiled_module(name: str) -> Any | None:
    """Return a module that exists only compiled; None if the package was not compiled."""
    try:
        return import_module(f"{__name__}.{name}")
    except ImportError:
        return None
