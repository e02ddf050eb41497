"""Columns of features as arrays of doubles: what the trees read of them is not taken apart again."""

from cpython.array cimport array, clone

cdef array _ONE = array("d")


cdef double* column(dict columns, str name, Py_ssize_t n) except? NULL:
    """Set a new column of ``n`` numbers, not yet written, and return where they lie."""
    cdef array made = clone(_ONE, n, False)
    columns[name] = made
    return made.data.as_doubles
