"""Scores and weights of tokens: no string is made of a token to look it up."""

cimport cython
from cpython.array cimport array

from scrapy_webtext.core.arrays cimport as_doubles, new_longs
from scrapy_webtext.core.characters cimport after_blanks, blank_size
from scrapy_webtext.core.distinct cimport DistinctTexts

cdef enum:
    ROOM = 128
    #: As in ``core/words.py``.
    MAX_CLASS_NAMES = 12
    MAX_PARTS = 8
    MAX_NAME_CHARS = 200
    MAX_CHARS = 40


@cython.final
cdef class TokenTable:
    """Two numbers per token. Token 0 is any other, with the numbers 0."""

    def __init__(self, scores, weights):
        cdef bytes body
        cdef list tokens = [token for token in dict.fromkeys((*scores, *weights)) if token]
        self.scores = as_doubles([0.0, *[scores.get(token, 0.0) for token in tokens]])
        self.weights = as_doubles([0.0, *[weights.get(token, 0.0) for token in tokens]])
        self.has_weight = bytearray([False, *[token in weights for token in tokens]])
        self.found = new_longs(ROOM)
        self._tokens = DistinctTexts()
        for token in tokens:
            body = (<str?> token).encode("utf-8", "surrogatepass")
            self._tokens.add(body, len(body))

    cpdef int number(self, str token) except -1:
        cdef bytes body = token.encode("utf-8", "surrogatepass")
        return self._tokens.find(body, len(body))

    cpdef int read_words(self, str text, int most, bint whole) except -1:
        cdef bytes body = text.lower().encode("utf-8", "surrogatepass")
        cdef const unsigned char* at = body
        cdef const unsigned char* end = at + len(body)
        cdef const unsigned char* begin
        cdef long long* found = self.found.data.as_longlongs
        cdef int n = 0, size
        most = min(most, ROOM)
        while at < end and n < most:
            begin = at
            size = _letter_size(at, end)
            while size:
                at += size
                size = _letter_size(at, end) if at < end else 0
            if at > begin:
                found[n] = self._tokens.find(begin, at - begin)
                n += 1
            else:
                at += 1
        if whole:
            found[n] = self._tokens.find(body, len(body))
            n += 1
        return n

    cpdef int read_names(self, str class_names) except -1:
        cdef bytes body = class_names.encode("utf-8", "surrogatepass")
        cdef const unsigned char* at = body
        cdef const unsigned char* end = at + len(body)
        cdef const unsigned char* begin
        cdef int read, n = 0
        for read in range(MAX_CLASS_NAMES):
            at = begin = after_blanks(at, end)
            while at < end and not blank_size(at, end):
                at += 1
            n = self._read_name(begin, _first_chars(begin, at), n)
        return n

    cdef int _read_name(self, const unsigned char* at, const unsigned char* end, int n) noexcept:
        """Write the numbers of the tokens of a name from place ``n`` on; return the next place."""
        cdef unsigned char part[MAX_NAME_CHARS]
        cdef unsigned char whole[MAX_CHARS]
        cdef long long* found = self.found.data.as_longlongs
        cdef Py_ssize_t k, size = 0
        cdef int parts = 0
        cdef Part next
        while _next_part(&at, end, &next):
            parts += 1
            if parts > 1 and size < MAX_CHARS:
                whole[size] = c"-"
                size += 1
            for k in range(next.size):
                part[k] = next.at[k] | 0x20
                if size < MAX_CHARS:
                    whole[size] = part[k]
                    size += 1
            if parts <= MAX_PARTS:
                found[n] = self._tokens.find(part, next.size)
                n += 1
        if parts > 1:
            found[n] = self._tokens.find(whole, size)
            n += 1
        return n


cdef inline int _letter_size(const unsigned char* at, const unsigned char* end) noexcept:
    """Return the bytes of a character of a word (`core.words`), in lower case; 0 for another."""
    cdef unsigned int first = at[0]
    cdef Py_UCS4 char
    if first < 0x80:
        return c"a" <= first <= c"z"
    if first < 0xC0 or blank_size(at, end):  # the middle of a character
        return 0
    if first < 0xE0:
        return 0 if <Py_UCS4> ((first & 0x1F) << 6 | at[1] & 0x3F) in "·»«©®" else 2
    if first < 0xF0:
        char = <Py_UCS4> ((first & 0x0F) << 12 | (at[1] & 0x3F) << 6 | at[2] & 0x3F)
        return 0 if char in "…•–—’‘“”→›‹™" else 3
    return 4


cdef struct Part:
    const unsigned char* at
    Py_ssize_t size


cdef const unsigned char* _first_chars(
    const unsigned char* at, const unsigned char* end
) noexcept:
    """Return the end of a name, or of the characters that are read of a longer one."""
    cdef Py_ssize_t left = MAX_NAME_CHARS
    if end - at <= left:
        return end
    while at < end:
        if at[0] & 0xC0 != 0x80:
            if not left:
                break
            left -= 1
        at += 1
    return at


cdef bint _next_part(
    const unsigned char** at, const unsigned char* end, Part* found
) noexcept:
    """Find the next match of ``[A-Z]?[a-z]+|[A-Z]+``, and go to its end."""
    cdef const unsigned char* k = at[0]
    while k < end and not c"a" <= k[0] | 0x20 <= c"z":
        k += 1
    found.at = k
    if k < end and not k[0] & 0x20:
        k += 1
        if k == end or not c"a" <= k[0] <= c"z":
            while k < end and c"A" <= k[0] <= c"Z":
                k += 1
            at[0], found.size = k, k - found.at
            return True
    while k < end and c"a" <= k[0] <= c"z":
        k += 1
    at[0], found.size = k, k - found.at
    return found.size > 0
