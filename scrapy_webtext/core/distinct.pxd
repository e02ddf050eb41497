cimport cython
from cpython.array cimport array
from libc.stdint cimport uint64_t

from scrapy_webtext.core.texts cimport Texts

cdef struct Slot:
    unsigned int mark  # half of the hash
    int number  # 0 if the slot is empty

cdef struct Triple:
    int a, b, c, number


@cython.final
cdef class DistinctTexts:
    cdef int _count
    cdef unsigned char* _data
    cdef size_t* _begin
    cdef Slot* _slots
    cdef size_t _data_room
    cdef int _room
    cdef uint64_t _mask
    cdef unsigned char* _marks  # per mark (`_mark`) modulo four times the slots, 1 if a text has it

    cpdef int number(self, Texts texts, Py_ssize_t k) except -1
    cpdef int number_without_digits(self, Texts texts, Py_ssize_t k) except -1
    cpdef double similarity(self, Texts texts, Py_ssize_t k, bint is_unspaced) except -1
    cpdef int add_words(self, str text, size_t least=*) except -1
    cpdef double share_of_words(self, Texts texts, Py_ssize_t k, int most) except -1
    cdef int find(self, const unsigned char* at, size_t size) noexcept
    cdef unsigned char* _mark_of(self, const unsigned char* at, size_t size) noexcept
    cdef int add(self, const unsigned char* at, size_t size) except -1
    cdef unsigned char* _copied(self, const unsigned char* at, size_t size) except NULL
    cdef int _number(self, size_t size) except -1
    cdef uint64_t _slot(self, uint64_t hash, const unsigned char* at, size_t size) noexcept
    cdef int _grow(self) except -1


@cython.final
cdef class DistinctTriples:
    cdef Triple* _triples
    cdef uint64_t _mask
    cdef int _count

    cpdef int number(self, int a, int b, int c) except -1
    cdef Triple* _find(self, int a, int b, int c) noexcept
    cdef int _grow(self) except -1


@cython.final
cdef class TokenTable:
    cdef readonly array scores, weights, found
    cdef readonly bytearray has_weight
    cdef DistinctTexts _tokens

    cpdef int number(self, str token) except -1
    cpdef int read_words(self, Texts texts, Py_ssize_t k, int most, bint whole) except -1
    cpdef int read_names(self, str class_names) except -1
    cdef int _read_name(self, const unsigned char* at, const unsigned char* end, int n) noexcept
