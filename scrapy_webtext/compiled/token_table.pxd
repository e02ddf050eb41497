from libc.stdint cimport uint32_t, uint64_t

from scrapy_webtext.core.memory cimport fetch

cdef struct Token:
    double content, article
    int begin  # of its characters
    short size
    bint is_of_article

cdef struct Slot:
    uint32_t mark  # half of the hash
    int number  # of the token, from 1; 0 where there is none

#: A token to look up.
cdef struct Wanted:
    const unsigned char* at
    Py_ssize_t size
    uint64_t hash

cdef enum:
    HASH = 0x1C9DC5  # fits an int, as all of C's enums do

cdef inline uint64_t mixed(uint64_t hash, unsigned char char) noexcept:
    """Return the hash of a text with one more character, from ``HASH`` on."""
    return (hash ^ char) * 0x9E3779B97F4A7C15ULL


cdef class TokenTable:
    cdef object key
    cdef dict _numbers
    cdef Py_ssize_t count
    cdef Token* tokens
    cdef Slot* _slots
    cdef uint64_t _mask
    cdef const char* _chars
    cdef bytes _held_chars
    cdef list _held

    cdef int _add(self, uint64_t hash, int number) except -1
    cdef int number_of(self, str token) except -1

    cdef int find(self, const Wanted* token) noexcept
    cdef void find_all(self, const Wanted* tokens, Py_ssize_t n, int* found) noexcept
    cdef inline void fetch(self, uint64_t hash) noexcept:
        """Ask for the memory in which a token of this hash is looked up."""
        fetch(&self._slots[(hash >> 32) & self._mask])

cdef Wanted wanted_text(str token) noexcept
cdef TokenTable table_of(object key, object content, object article)
