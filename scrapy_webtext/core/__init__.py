"""What exists in two languages, Python (``.py``) and Cython (``.pyx`` with ``.pxd``).

Elsewhere an algorithm stands once, in a ``.py`` file. A ``.pxd`` file next to it gives types; with
them the same file is compiled where the package is installed with a C compiler. Interpreted, no
``.pxd`` file is read. `reader` is there only compiled: `page.columns` does in Python what it does.
"""

from importlib import import_module
from typing import Any


def compiled_module(name: str) -> Any | None:
    """Return a module that is there only compiled; None where nothing was compiled."""
    try:
        return import_module(f"{__name__}.{name}")
    except ImportError:
        return None
