# The numbers of a column: their address.
from cpython.array cimport array
from cpython.bytearray cimport PyByteArray_AS_STRING

ctypedef long long* Longs
ctypedef double* Doubles
ctypedef unsigned char* Bytes


cdef inline Longs longs(array column) noexcept:
    return column.data.as_longlongs


cdef inline Doubles doubles(array column) noexcept:
    return column.data.as_doubles


cdef inline Bytes octets(bytearray mask) noexcept:
    return <unsigned char*> PyByteArray_AS_STRING(mask)


cdef inline Doubles column(dict columns, str name, Py_ssize_t n) except? NULL:
    cdef array made = new_doubles(n)
    columns[name] = made
    return made.data.as_doubles


cdef inline Doubles unset_column(dict columns, str name, Py_ssize_t n) except? NULL:
    cdef array made = unset_doubles(n)
    columns[name] = made
    return made.data.as_doubles


cdef inline Longs keep(dict columns, str name, array kept) except? NULL:
    columns[name] = kept
    return kept.data.as_longlongs
