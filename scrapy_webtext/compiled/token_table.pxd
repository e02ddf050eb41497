from libc.stdint cimport uint32_t, uint64_t

cdef struct Token:
    double content, article
    int begin  # of its characters
    short size
    bint is_of_article

cdef struct Slot:
    uint32_t mark  # half of the hash
    int number  # of the token, from 1; 0 where there is none

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
    cdef bytes _held_tokens, _held_slots, _held_chars

    cdef int _add(self, uint64_t hash, int number) except -1
    cdef int number_of(self, str token) except -1

    cdef inline int find(self, const unsigned char* token, Py_ssize_t size, uint64_t hash) noexcept:
        """Return the number of a token of ASCII, from 1 on; 0 if it has no score."""
        cdef uint64_t k = (hash >> 32) & self._mask
        cdef Py_ssize_t i
        cdef const Token* known
        while self._slots[k].number:
            if self._slots[k].mark == <uint32_t> (hash >> 16):
                known = &self.tokens[self._slots[k].number]
                if known.size == size:
                    i = 0
                    while i < size and <unsigned char> self._chars[known.begin + i] == token[i]:
                        i += 1
                    if i == size:
                        return self._slots[k].number
            k = (k + 1) & self._mask
        return 0

cdef TokenTable table_of(object key, object content, object article)
