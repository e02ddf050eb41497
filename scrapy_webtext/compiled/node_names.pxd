cimport cython
from cpython.array cimport array

cdef enum:
    #: Names that are kept from page to page, and bytes of each.
    MAX_KEPT = 4096
    MAX_KEPT_SIZE = 64


@cython.final
cdef class Names:
    cdef const unsigned char** _keys
    cdef int* _places
    cdef size_t _size, _used
    cdef list values
    cdef array numbers  #: per value, its number among those that are kept; -1 if it is not
    cdef dict _known, _spaced

    cdef int place(self, const unsigned char* key, const unsigned char* namespace) except -1
    cdef int _place_in(self, const unsigned char* namespace, const unsigned char* key) except -1
    cdef int add(self, const unsigned char* key) except -1
    cdef int _of(self, str name, int number) except -1
    cdef size_t _slot(self, const unsigned char* key) noexcept
    cdef int _grow(self) except -1
