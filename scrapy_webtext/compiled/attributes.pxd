cimport cython


@cython.final
cdef class Attributes:
    cdef list names
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
    cdef str value(self, Py_ssize_t k)
    cdef Py_ssize_t chars(self, Py_ssize_t k) noexcept


cdef Attributes stored(object table)
