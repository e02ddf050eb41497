"""Memory that grows, and memory that will be read; compiled into each module that uses it."""

from libc.stdlib cimport realloc

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define WEBTEXT_FETCH(at) __builtin_prefetch(at)
    #else
    #define WEBTEXT_FETCH(at) ((void) (at))
    #endif
    """
    #: Ask for memory that will be read, so that nothing waits for it then.
    void fetch "WEBTEXT_FETCH"(const void* at) noexcept nogil


cdef inline void* resized(void* held, size_t size) except NULL:
    """Return memory of this size with the same content. On MemoryError the old memory is kept."""
    cdef void* grown = realloc(held, size)
    if grown is NULL:
        raise MemoryError
    return grown
