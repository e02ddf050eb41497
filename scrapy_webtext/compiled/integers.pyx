"""Columns of integers as arrays: no object is made of a number, nor touched where one is read."""

from cpython.array cimport array

from scrapy_webtext.compiled.arrays cimport as_array, new_array

cdef array _ONE = array("q")


cdef array integers(Py_ssize_t n):
    """Return a column of ``n`` zeros."""
    return new_array(_ONE, n, True)


cdef long long* new_integers(list columns, Py_ssize_t n) except? NULL:
    """Append a column of ``n`` zeros, and return where they lie."""
    cdef array made = integers(n)
    columns.append(made)
    return made.data.as_longlongs


cdef array as_integers(column):
    """Return a column as such an array, copied if it is none."""
    return as_array(_ONE, column)
