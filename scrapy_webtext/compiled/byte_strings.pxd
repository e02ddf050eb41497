from libc.stdint cimport uint64_t


cdef struct StringSlot:
    unsigned int mark  # half of the hash
    int number  # of the string, from 1; 0 where there is none


cdef class ByteStrings:
    cdef int count
    cdef unsigned char* _data
    cdef size_t* _begin
    cdef StringSlot* _slots
    cdef size_t _data_room
    cdef int _room
    cdef uint64_t _mask

    cdef int find(self, const unsigned char* at, size_t size) except? -2
    cdef int add(self, const unsigned char* at, size_t size) except -1
    cdef uint64_t _slot(self, uint64_t hash, const unsigned char* at, size_t size) noexcept
    cdef int _grow(self) except -1
