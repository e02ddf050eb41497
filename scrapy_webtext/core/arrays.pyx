"""Columns of numbers, created without intermediate lists of Python objects."""

from cpython.array cimport array, clone

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(void* op)

cdef array _LONGS = array("q")
cdef array _DOUBLES = array("d")


cdef array new_longs(Py_ssize_t n):
    return clone(_LONGS, n, True)


cdef array unset_longs(Py_ssize_t n):
    return clone(_LONGS, n, False)


cdef array new_doubles(Py_ssize_t n):
    return clone(_DOUBLES, n, True)


cdef array sums(array column):
    cdef Py_ssize_t k, n = len(column)
    cdef bint is_float = column.typecode == "d"
    cdef array made = clone(_DOUBLES if is_float else _LONGS, n + 1, True)
    for k in range(n):
        if is_float:
            made.data.as_doubles[k + 1] = made.data.as_doubles[k] + column.data.as_doubles[k]
        else:
            made.data.as_longlongs[k + 1] = made.data.as_longlongs[k] + column.data.as_longlongs[k]
    return made


cdef list untracked(list column):
    PyObject_GC_UnTrack(<void*> column)
    return column


cdef array as_longs(column):
    return _as(_LONGS, column)


cdef array as_doubles(column):
    return _as(_DOUBLES, column)


cdef array _as(array kind, column):
    cdef array made
    cdef Py_ssize_t k
    if type(column) is array and (<array> column).typecode == kind.typecode:
        return <array> column
    if type(column) is list and kind is _LONGS:
        made = new_longs(len(<list> column))
        for k in range(len(<list> column)):
            made.data.as_longlongs[k] = (<list> column)[k]
        return made
    return array(kind.typecode, column if type(column) is list else list(column))
