cimport cython
from cpython.array cimport array
from libc.stdint cimport uint32_t, uint64_t

cdef struct Token:
    Py_ssize_t begin  # of its characters
    Py_ssize_t size

cdef struct Slot:
    uint32_t mark  # half of the hash
    int number  # of the token; 0 where there is none

#: A token to look up. If it is not ASCII, `at` is NULL and `size` is its number.
cdef struct Wanted:
    const unsigned char* at
    Py_ssize_t size
    uint64_t hash


@cython.final
cdef class TokenTable:
    cdef readonly array scores, weights, found
    cdef readonly bytearray has_weight
    cdef dict _numbers
    cdef bytes _chars
    cdef Token* _tokens
    cdef Slot* _slots
    cdef uint64_t _mask

    cpdef int number(self, str token) except -1
    cpdef int read_words(self, str text, int most, bint whole) except -1
    cpdef int read_names(self, str class_names) except -1
    cdef int _find(self, const Wanted* token) noexcept
    cdef int _find_all(self, const Wanted* tokens, int n) noexcept
