cimport cython

from scrapy_webtext.core cimport texts

cdef int MAX_ATTRIBUTES, MAX_NESTED, MAX_NESTED_CHARS, MAX_LONG
cdef int _MAX_VALUES, _LEAST_CHARS, _STRIDE


@cython.final
cdef class Source:
    cdef bytes body
    cdef double left
    cdef Py_ssize_t nested, long, next_double, next_single, untried
    cdef set short

    @cython.locals(body=bytes, n=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t)
    cdef bint is_costly(self, bint is_exact) except -1
    @cython.locals(body=bytes, place=Py_ssize_t, inner=Py_ssize_t)
    cdef bint _is_too_high(self, Py_ssize_t start, Py_ssize_t end, bint is_exact) except -1
    @cython.locals(body=bytes, limit=Py_ssize_t, equals=Py_ssize_t, end=Py_ssize_t)
    cdef Py_ssize_t _long_end(self, Py_ssize_t start) except -1
    @cython.locals(found=list, after=Py_ssize_t)
    cdef _remember_short(self, Py_ssize_t equals, Py_ssize_t end)
    @cython.locals(body=bytes, at=Py_ssize_t, values=Py_ssize_t, close=Py_ssize_t, end=Py_ssize_t)
    cpdef Py_ssize_t tag_end(self, Py_ssize_t start, Py_ssize_t n) except -1
    @cython.locals(body=bytes, quote=Py_ssize_t)
    cdef Py_ssize_t value_end(self, Py_ssize_t at, Py_ssize_t n) except -1
    @cython.locals(n=Py_ssize_t, close=Py_ssize_t)
    cdef Py_ssize_t short_end(self, Py_ssize_t start) except -1
    @cython.locals(body=bytes, n=Py_ssize_t)
    cdef bint _may_be_in_value(self, Py_ssize_t start, Py_ssize_t place) except -1
    @cython.locals(body=bytes, place=Py_ssize_t)
    cdef bint _begins_value(self, Py_ssize_t start, Py_ssize_t quote) except -1


cdef bint _begins_tag(bytes body, Py_ssize_t place) except -1

@cython.locals(attributes=Py_ssize_t, is_bounded=bint)
cdef double _tree_cost(bytes body, Py_ssize_t start, Py_ssize_t end, bint is_exact) except -1
