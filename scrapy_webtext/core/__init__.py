"""What exists in two languages, Python (``.py``) and Cython (``.pyx`` with ``.pxd``).

Elsewhere an algorithm stands once, in a ``.py`` file. A ``.pxd`` file next to it gives types; with
them the same file is compiled where the package is installed with a C compiler. Interpreted, no
``.pxd`` file is read.
"""
