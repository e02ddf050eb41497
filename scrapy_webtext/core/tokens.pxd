cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays


@cython.final
cdef class TokenTable:
    cdef readonly array scores, weights, found
    cdef readonly bytearray has_weight
    cdef dict _numbers

    cpdef int number(self, str token) except -1
    cpdef int read_words(self, str text, Py_ssize_t most) except -1
    cpdef int read_names(self, str class_names) except -1
    cdef int _write(self, list tokens) except -1


cpdef list words_of(str low)
@cython.locals(parts=list, name=str)
cpdef list class_name_tokens(str class_names)
@cython.locals(parts=list, k=Py_ssize_t, begin=Py_ssize_t)
cdef list _parts_of(str name)
