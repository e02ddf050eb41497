"""Memory that grows, and memory that lives as long as a list; compiled into each twin."""

from libc.stdlib cimport realloc


cdef inline void* resized(void* held, size_t size) except NULL:
    """Return memory of this size with what it held before, which is still there on MemoryError."""
    cdef void* grown = realloc(held, size)
    if grown is NULL:
        raise MemoryError
    return grown


cdef inline char* zeros(list held, Py_ssize_t size) except NULL:
    """Return memory of this size, all 0, which lives as long as the list."""
    cdef bytearray room = bytearray(max(1, size))
    held.append(room)
    return room
