"""The code that exists in two languages, Python (``.py``) and Cython (``.pyx`` with ``.pxd``).

Elsewhere an algorithm is written once, in a ``.py`` file. A ``.pxd`` file next to it gives types;
with them the same file is compiled if the package is installed with a C compiler. Interpreted, no
``.pxd`` file is read. `reader` exists only compiled: `page.parse` does the same in Python.
"""

from importlib import import_module
from typing import Any


def compiled_module(name: str) -> Any | None:
    """Return a module that is there only compiled; None where nothing was compiled."""
    try:
        return import_module(f"{__name__}.{name}")
    except ImportError:
        return None
