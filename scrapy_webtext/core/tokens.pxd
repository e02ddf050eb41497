cimport cython
from cpython.array cimport array

from scrapy_webtext.core.distinct cimport DistinctTexts


@cython.final
cdef class TokenTable:
    cdef readonly array scores, weights, found
    cdef readonly bytearray has_weight
    cdef DistinctTexts _tokens

    cpdef int number(self, str token) except -1
    cpdef int read_words(self, str text, int most, bint whole) except -1
    cpdef int read_names(self, str class_names) except -1
    cdef int _read_name(self, const unsigned char* at, const unsigned char* end, int n) noexcept
