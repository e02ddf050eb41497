"""The code that exists in two languages, Python (``.py``) and Cython (``.pyx`` with ``.pxd``).

Elsewhere an algorithm is written once, in a ``.py`` file. A ``.pxd`` file next to it declares
types. If the package is installed with a C compiler, the ``.py`` file is compiled with these types;
else Python ignores the ``.pxd`` file. `reader` exists only compiled: `page.parse` does the same in
Python.
"""
