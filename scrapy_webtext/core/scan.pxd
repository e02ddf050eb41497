from libc.string cimport memchr

from scrapy_webtext.core.characters cimport counted


cdef inline Py_ssize_t find(bytes body, Py_UCS4 char, Py_ssize_t first, Py_ssize_t end) noexcept:
    cdef const unsigned char* at = body
    cdef const void* found = memchr(at + first, char, end - first) if first < end else NULL
    return end if found is NULL else <const unsigned char*> found - at


cdef inline Py_ssize_t rfind(bytes body, Py_UCS4 char, Py_ssize_t first, Py_ssize_t end) noexcept:
    cdef const unsigned char* at = body
    while end > first:
        end -= 1
        if at[end] == char:
            return end
    return -1


cdef inline unsigned char _separators(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    """Count in single bytes, so that C compilers vectorize the loops."""
    cdef unsigned char found = 0
    cdef Py_ssize_t k
    for k in range(n):
        found += (at[k] == 0x20) + (at[k] == c"/") + (at[k] == c"=")
    for k in range(n):
        found += <unsigned char> (at[k] - 0x09) < 5
    return found


cdef inline Py_ssize_t separators(bytes body, Py_ssize_t first, Py_ssize_t end) noexcept:
    cdef const unsigned char* at = body
    return counted(at + first, end - first, _separators)


cdef inline unsigned char _opened(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    cdef unsigned char found = 0
    cdef Py_ssize_t k
    for k in range(n):
        found += at[k] == c"<"
    return found


cdef inline Py_ssize_t opened(bytes body) noexcept:
    return counted(<const unsigned char*> body, len(body), _opened)


cdef inline unsigned char _between(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    cdef unsigned char found = 0
    cdef Py_ssize_t k
    for k in range(n):
        found += (at[k] == 0x20) + (at[k] == c"/") + (at[k] == c'"') + (at[k] == 0x27)
    for k in range(n):
        found += (at[k] == 0x09) + (at[k] == 0x0A) + (at[k] == 0x0C) + (at[k] == 0x0D)
    return found


cdef inline Py_ssize_t between_attributes(bytes body) noexcept:
    return counted(<const unsigned char*> body, len(body), _between)
