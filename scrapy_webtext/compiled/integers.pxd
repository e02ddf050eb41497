"""Columns of integers: arrays, which other code can index, and which hold no objects."""

from cpython.array cimport array

cdef extern from *:
    """
    #ifndef WEBTEXT_CHECKED
    #define WEBTEXT_CHECKED 0
    #endif
    """
    const bint WEBTEXT_CHECKED

cdef array integers(Py_ssize_t n)
cdef long long* new_integers(list columns, Py_ssize_t n) except? NULL
cdef array as_integers(column)


cdef inline long long integer_at(array column, Py_ssize_t k) except? -1:
    """Return the k-th value; where it lies is checked in the build for tests alone."""
    if WEBTEXT_CHECKED and not 0 <= k < len(column):
        raise IndexError(k)
    return column.data.as_longlongs[k]
