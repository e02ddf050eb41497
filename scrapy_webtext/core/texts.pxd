cimport cython
from libc.stdlib cimport realloc
from libc.string cimport memchr

from scrapy_webtext.core.characters cimport counted

#: Properties of a text, as bits, computed when it is added.
cdef enum Kind:
    IS_TEXT = 1  #: not None
    HAS_WORDS = 2  #: has characters other than white space
    BEGINS_BLANK = 4
    ENDS_BLANK = 8

cdef struct Piece:
    size_t begin
    unsigned int size
    unsigned int kind


cdef enum:
    MAX_SIGNS = 16
    TESTED = 512

cdef struct Tested:
    long long signs  # number of the signs that a text was searched for; 0 for none
    Py_ssize_t k
    bint has_one

cdef struct Sign:
    const unsigned char* text
    Py_ssize_t size, anchor


@cython.final
cdef class Signs:
    cdef tuple signs
    cdef Sign _sign[MAX_SIGNS]
    cdef Py_ssize_t _count
    cdef long long _number  # unique; an address of an object may be used again
    cdef unsigned short _anchored[256]

    cdef bint are_in(self, const unsigned char* text, Py_ssize_t size) noexcept
    cdef bint _is_around(self, const unsigned char* text, Py_ssize_t size, Py_ssize_t k) noexcept


@cython.final
cdef class Texts:
    cdef Piece* piece
    cdef Py_ssize_t count
    cdef unsigned char* data
    cdef unsigned char* _folded
    cdef Tested _tested[TESTED]  # per hash, the text that was searched last
    cdef Py_ssize_t _room, _with_words
    cdef size_t _used, _data_room, _folded_room

    cdef int make_room(self, Py_ssize_t texts, size_t size) except -1
    cdef int drop_room(self) except -1
    cdef int add(self, const unsigned char* text, size_t size) except -1
    cdef int add_none(self) except -1
    cdef int _make_room(self) except -1
    cdef int _set(self, Piece* piece, const unsigned char* text, size_t size) except -1
    cdef int _kind(self, Py_ssize_t k) except -1
    cdef object _object(self, Py_ssize_t k)

    cpdef str at(self, Py_ssize_t k)
    cpdef str folded(self, Py_ssize_t k)
    cpdef str letters(self, Py_ssize_t k)
    cdef str _without_blanks(self, Py_ssize_t k, bint keeps_one)
    cpdef bint is_empty(self, Py_ssize_t k) except -1
    cpdef bint has_words(self, Py_ssize_t k) except -1
    cpdef Py_ssize_t with_words(self) except -1
    cpdef bint starts_with(self, Py_ssize_t k, str start) except -1
    cpdef bint has_sign(self, Py_ssize_t k, Signs signs) except -1
    cpdef bint begins_blank(self, Py_ssize_t k) except -1
    cpdef bint ends_blank(self, Py_ssize_t k) except -1
    cpdef bint is_seen(self, Py_ssize_t k, str invisible) except -1
    cpdef int edges(self, Py_ssize_t k) except -1
    cpdef Py_ssize_t chars(self, Py_ssize_t k) except -1
    cpdef Py_ssize_t length(self, Py_ssize_t k) except -1


cpdef bint is_storable(str text) except -1
cpdef bytes encoded(str text)
cpdef bint is_utf8(bytes body) except -1


cdef inline void* resized(void* held, size_t size) except NULL:
    """Return memory of this size with the same content; on MemoryError the old one stays valid."""
    cdef void* grown = realloc(held, size)
    if grown is NULL:
        raise MemoryError
    return grown


# Single characters in the bytes of HTML.

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
