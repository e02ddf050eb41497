# The numbers of a column in the build for tests: a place outside of the column raises IndexError.
from cpython.array cimport array

ctypedef long long[::1] Longs
ctypedef double[::1] Doubles
ctypedef unsigned char[::1] Bytes


cdef inline Longs longs(array column):
    return column


cdef inline Doubles doubles(array column):
    return column


cdef inline Bytes octets(bytearray mask):
    return mask


cdef inline Doubles column(dict columns, str name, Py_ssize_t n):
    cdef array made = new_doubles(n)
    columns[name] = made
    return made


cdef inline Doubles unset_column(dict columns, str name, Py_ssize_t n):
    cdef array made = unset_doubles(n)
    columns[name] = made
    return made


cdef inline Longs keep(dict columns, str name, array kept):
    columns[name] = kept
    return kept
