"""Lists that the garbage collector passes by; compiled into each twin."""

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(void* op)


cdef inline list untracked(list column):
    """Return a list of nothing but texts and numbers, which can be part of no cycle.

    The collector would look at each of its entries, several times while the page lives: a seventh
    of what a page in a row of pages costs with the P value, a quarter with fusion.
    """
    PyObject_GC_UnTrack(<void*> column)
    return column
