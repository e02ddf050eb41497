"""Bytes counted in loops that C compilers make wide; compiled into each twin."""

cdef enum:
    #: Bytes whose number is sure to have room in a byte.
    AT_ONCE = 192

#: Counts among so many bytes at most.
ctypedef unsigned char (*Counter)(const unsigned char* at, Py_ssize_t n) noexcept nogil


cdef inline Py_ssize_t counted(const unsigned char* at, Py_ssize_t n, Counter counter) noexcept nogil:
    """Return the sum of what is counted in the parts of some bytes."""
    cdef Py_ssize_t found = 0
    while n >= AT_ONCE:
        found += counter(at, AT_ONCE)
        at, n = at + AT_ONCE, n - AT_ONCE
    return found + counter(at, n)


cdef inline unsigned char _characters(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    cdef unsigned char found = 0
    cdef Py_ssize_t k
    for k in range(n):
        found += at[k] & 0xC0 != 0x80
    return found


cdef inline Py_ssize_t characters(const unsigned char* at, Py_ssize_t n) noexcept nogil:
    """Return the characters of some UTF-8."""
    return counted(at, n, _characters)
