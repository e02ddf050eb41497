"""Columns that the garbage collector passes by; compiled into each twin."""

from cpython.array cimport array, clone

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(void* op)
    bint PyObject_IS_GC(object op)


cdef inline list untracked(list column):
    """Return a list of nothing but texts and numbers, which can be part of no cycle.

    The collector would look at each of its entries, several times while the page lives: a seventh
    of what a page in a row of pages costs with the P value, a quarter with fusion.
    """
    PyObject_GC_UnTrack(<void*> column)
    return column


cdef inline array untracked_array(array kind, Py_ssize_t n, bint is_zero):
    """Return a new array of ``n`` numbers of the same kind as those of another."""
    cdef array made = clone(kind, n, is_zero)
    if PyObject_IS_GC(made):  # as it is from Python 3.10 to 3.14
        PyObject_GC_UnTrack(<void*> made)
    return made
