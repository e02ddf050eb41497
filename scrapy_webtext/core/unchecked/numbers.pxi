# The numbers of a column: their address.
from cpython.array cimport array

ctypedef long long* Longs
ctypedef double* Doubles


cdef inline Longs longs(array column) noexcept:
    return column.data.as_longlongs


cdef inline Doubles doubles(array column) noexcept:
    return column.data.as_doubles
