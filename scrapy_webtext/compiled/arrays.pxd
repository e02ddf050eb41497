"""Columns of numbers as arrays: no object is made of a number, nor touched where one is read.

Neither these nor lists of texts are seen by the garbage collector, as they can be part of no cycle.
"""

from cpython.array cimport array, clone

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(void* op)
    bint PyObject_IS_GC(object op)

cdef extern from *:
    """
    #ifndef WEBTEXT_CHECKED
    #define WEBTEXT_CHECKED 0
    #endif
    """
    const bint WEBTEXT_CHECKED


cdef inline array new_array(array kind, Py_ssize_t n, bint is_zero):
    """Return ``n`` numbers like those of another array, which the garbage collector passes by."""
    cdef array made = clone(kind, n, is_zero)
    if PyObject_IS_GC(made):  # as it is from Python 3.10 to 3.14
        PyObject_GC_UnTrack(<void*> made)
    return made


cdef inline list untracked(list column):
    """Return a list of nothing but texts and numbers, which the garbage collector passes by.

    The collector would look at each of its entries, several times while the page lives: a seventh
    of what a page in a row of pages costs with the P value, a quarter with fusion.
    """
    PyObject_GC_UnTrack(<void*> column)
    return column


cdef array integers(Py_ssize_t n)
cdef long long* new_integers(list columns, Py_ssize_t n) except? NULL
cdef array as_integers(column)
cdef double* new_doubles(list columns, Py_ssize_t n) except? NULL
cdef array as_doubles(column)
cdef double* column(dict columns, str name, Py_ssize_t n) except? NULL


cdef inline int check_place(array column, Py_ssize_t k) except -1:
    """Raise IndexError where a place is none, in the build for tests alone."""
    if WEBTEXT_CHECKED and not 0 <= k < len(column):
        raise IndexError(k)
    return 0


cdef inline long long integer_at(array column, Py_ssize_t k) except? -1:
    """Return the k-th value; where it lies is checked in the build for tests alone."""
    check_place(column, k)
    return column.data.as_longlongs[k]


cdef inline double double_at(array column, Py_ssize_t k) except? -1:
    """Return the k-th value; where it lies is checked in the build for tests alone."""
    check_place(column, k)
    return column.data.as_doubles[k]
