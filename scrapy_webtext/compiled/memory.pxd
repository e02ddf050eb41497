"""Memory that grows; compiled into each twin."""

from libc.stdlib cimport realloc


cdef inline void* resized(void* held, size_t size) except NULL:
    """Return memory of this size with what it held before, which is still there on MemoryError."""
    cdef void* grown = realloc(held, size)
    if grown is NULL:
        raise MemoryError
    return grown
