"""Twin of ``page/limits.py``: characters are counted in loops that C compilers make wide."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from scrapy_webtext.compiled.counting cimport Counter, counted


def count_angles(bytes body not None):
    return _count(body, _angles)


def count_separators(bytes body not None):
    return _count(body, _separators)


cdef Py_ssize_t _count(bytes body, Counter counter):
    return counted(<const unsigned char*> PyBytes_AS_STRING(body), PyBytes_GET_SIZE(body), counter)


cdef unsigned char _angles(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    cdef unsigned char found = 0
    cdef Py_ssize_t k
    for k in range(n):
        found += at[k] == c"<"
    return found


cdef unsigned char _separators(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    cdef unsigned char found = 0
    cdef Py_ssize_t k
    for k in range(n):
        found += at[k] == c" "
    for k in range(n):
        found += <unsigned char> (at[k] - 0x09) < 2
    for k in range(n):
        found += <unsigned char> (at[k] - 0x0C) < 2
    for k in range(n):
        found += at[k] == c"/"
    for k in range(n):
        found += at[k] == c'"'
    for k in range(n):
        found += at[k] == c"'"
    return found
