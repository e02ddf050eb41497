"""Columns of integers: arrays, which other code can index, and which hold no objects."""

from cpython.array cimport array

from scrapy_webtext.compiled.arrays cimport check_place

cdef array integers(Py_ssize_t n)
cdef long long* new_integers(list columns, Py_ssize_t n) except? NULL
cdef array as_integers(column)


cdef inline long long integer_at(array column, Py_ssize_t k) except? -1:
    """Return the k-th value; where it lies is checked in the build for tests alone."""
    check_place(column, k)
    return column.data.as_longlongs[k]
