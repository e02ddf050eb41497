"""Columns of doubles as arrays: what the trees read of them is not taken apart again."""

from cpython.array cimport array

from scrapy_webtext.compiled.arrays cimport as_array, new_array

cdef array _ONE = array("d")


cdef double* new_doubles(list columns, Py_ssize_t n) except? NULL:
    """Append a column of ``n`` zeros, and return where they lie."""
    cdef array made = new_array(_ONE, n, True)
    columns.append(made)
    return made.data.as_doubles


cdef array as_doubles(column):
    """Return a column as such an array, copied if it is none."""
    return as_array(_ONE, column)


cdef double* column(dict columns, str name, Py_ssize_t n) except? NULL:
    """Set a new column of ``n`` numbers, not yet written, and return where they lie."""
    cdef array made = new_array(_ONE, n, False)
    columns[name] = made
    return made.data.as_doubles
