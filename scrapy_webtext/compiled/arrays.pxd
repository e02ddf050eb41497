"""What columns of integers and of doubles share; compiled into each twin."""

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


cdef inline array as_array(array kind, column):
    """Return a column as an array like another, copied if it is none."""
    if type(column) is array and (<array> column).typecode == kind.typecode:
        return <array> column
    return array(kind.typecode, column if type(column) is list else list(column))  # bytes are numbers, too


cdef inline int check_place(array column, Py_ssize_t k) except -1:
    """Raise IndexError where a place is none, in the build for tests alone."""
    if WEBTEXT_CHECKED and not 0 <= k < len(column):
        raise IndexError(k)
    return 0
