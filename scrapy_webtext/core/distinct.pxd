cimport cython

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.texts cimport Texts

cdef long long _FACTOR, _MASK, _SMALL


@cython.final
cdef class DistinctTexts:
    cdef dict _numbers, _without_digits

    cpdef int number(self, Texts texts, Py_ssize_t k) except -1
    @cython.locals(text=str)
    cpdef int number_without_digits(self, Texts texts, Py_ssize_t k) except -1


@cython.final
cdef class DistinctTriples:
    cdef dict _numbers

    @cython.locals(key=object)
    cpdef int number(self, int a, int b, int c) except -1


@cython.locals(part=str, char=Py_UCS4, value=cython.longlong, last=cython.longlong, k=Py_ssize_t)
cpdef set parts_in(str text, set parts, Py_ssize_t chars)
