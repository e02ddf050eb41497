from cpython.array cimport array

cdef array new_longs(Py_ssize_t n)
cdef array new_doubles(Py_ssize_t n)
cdef array unset_longs(Py_ssize_t n)
cdef array unset_doubles(Py_ssize_t n)

include "numbers.pxi"  # setup.py selects one of two files

cdef array sums(array column)
cdef list untracked(list column)
cdef array as_longs(column)
cdef array as_doubles(column)
