cimport cython
from cpython.array cimport array

from scrapy_webtext.compiled.kinds cimport Kinds


@cython.final
cdef class Attributes:
    cdef list names
    cdef array numbers  #: per name, its number among those kept (`node_names`), -1 for none
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t rows
    cdef int* name
    cdef size_t* begin
    cdef Py_ssize_t* place
    cdef char* data
    cdef Py_ssize_t _room, _rows_room
    cdef size_t _data_room
    cdef list _flat, _first

    cdef int add(self, int name, const char* value, size_t size) except -1
    cdef int end_row(self) except -1
    cdef int _make_room(self) except -1
    cdef bytearray kinds(self, Kinds kinds)
    cdef str value(self, Py_ssize_t k)
    cdef Py_ssize_t chars(self, Py_ssize_t k) noexcept
    cdef bint is_ascii(self, Py_ssize_t first, Py_ssize_t end) noexcept

    cdef inline Py_ssize_t size(self, Py_ssize_t k) noexcept:
        """Return the bytes of the k-th value."""
        return self.begin[k + 1] - self.begin[k]


cdef Attributes stored(object table)
