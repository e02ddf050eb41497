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


cdef array unset_doubles(Py_ssize_t n):
    return clone(_DOUBLES, n, False)


cdef array sums(array column):
    cdef Py_ssize_t k, n = len(column)
    cdef bint is_float = column.ob_descr.typecode == c"d"
    cdef array made = clone(_DOUBLES if is_float else _LONGS, n + 1, False)
    made.data.as_longlongs[0] = 0  # the integer 0 has the same bits as 0.0
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
    cdef array made, other
    cdef list values
    cdef Py_ssize_t k
    if type(column) is array and (<array> column).ob_descr == kind.ob_descr:
        return <array> column
    made = clone(kind, len(column), False)
    if type(column) is array and kind is _DOUBLES and (<array> column).ob_descr == _LONGS.ob_descr:
        other = <array> column
        for k in range(len(made)):
            made.data.as_doubles[k] = other.data.as_longlongs[k]
        return made
    values = list(column)
    for k in range(len(made)):
        if kind is _LONGS:
            made.data.as_longlongs[k] = values[k]
        else:
            made.data.as_doubles[k] = values[k]
    return made
