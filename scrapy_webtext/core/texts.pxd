cimport cython
from libc.stdint cimport uint64_t
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
    MAX_SETS = 63
    KINDS = 60  # of characters in signs; a state has 128 bytes

cdef struct State:
    uint64_t found  # bits of the sets of which a sign ends here
    unsigned short after[KINDS]  # per kind of the next character, the next state


@cython.final
cdef class Signs:
    cdef int _bit


@cython.final
cdef class Texts:
    cdef Piece* piece
    cdef Py_ssize_t count
    cdef unsigned char* data
    cdef unsigned char* _folded
    cdef uint64_t* _found  # per text, see `_search`; 0 if not searched
    cdef Py_ssize_t _searched  # number of the sets that were searched
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
    cdef uint64_t _search(self, Py_ssize_t k) noexcept
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
