"""Memory that will be read is asked for, so that nothing waits for it then; compiled into each twin."""

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define WEBTEXT_FETCH(at) __builtin_prefetch(at)
    #else
    #define WEBTEXT_FETCH(at) ((void) (at))
    #endif
    """
    void fetch "WEBTEXT_FETCH"(const void* at) noexcept nogil
