"""Scores and weights of tokens: no string is made of a token of ASCII to look it up."""

cimport cython
from cpython.array cimport array
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from scrapy_webtext.core.arrays cimport as_doubles, new_longs
from scrapy_webtext.core.characters cimport (
    PyUnicode_1BYTE_DATA,
    PyUnicode_DATA,
    PyUnicode_IS_ASCII,
    PyUnicode_KIND,
    PyUnicode_READ,
    blank_size,
    is_blank,
)

from scrapy_webtext.core.words import words_of

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

cdef enum:
    HASH = 0x1C9DC5  # fits an int, as all of C's enums do
    ROOM = 128
    #: As in ``core/words.py``.
    MAX_CLASS_NAMES = 12
    MAX_PARTS = 8
    MAX_NAME_CHARS = 200
    MAX_CHARS = 40
    #: Sizes of buffers: the text of words, and the tokens of one element.
    MAX_TEXT_CHARS = 2_048
    MAX_TOKEN_CHARS = MAX_CLASS_NAMES * (MAX_NAME_CHARS + MAX_CHARS)

#: Of this process only.
cdef uint64_t _KEY = <uint64_t> <Py_ssize_t> hash("tokens") ^ HASH


cdef inline uint64_t mixed(uint64_t hash, unsigned char char) noexcept:
    """Return the hash of a text with one more character."""
    return (hash ^ char) * 0x9E3779B97F4A7C15ULL


@cython.final
cdef class TokenTable:
    """Two numbers per token. Token 0 is any other, with the numbers 0."""

    def __init__(self, scores, weights):
        cdef list tokens = list(dict.fromkeys((*scores, *weights))), chars = []
        cdef uint64_t slots = 16, k
        cdef Py_ssize_t begin = 0
        cdef Wanted wanted
        cdef int number = 0
        self._numbers = {}
        self.scores = as_doubles([0.0, *[scores.get(token, 0.0) for token in tokens]])
        self.weights = as_doubles([0.0, *[weights.get(token, 0.0) for token in tokens]])
        self.has_weight = bytearray([False, *[token in weights for token in tokens]])
        self.found = new_longs(ROOM)
        while slots < 2 * <uint64_t> len(tokens):
            slots *= 2
        self._mask = slots - 1
        self._tokens = <Token*> calloc(len(tokens) + 1, sizeof(Token))
        self._slots = <Slot*> calloc(slots, sizeof(Slot))
        if self._tokens is NULL or self._slots is NULL:
            raise MemoryError
        for token in tokens:
            number += 1
            self._numbers[token] = number
            if PyUnicode_IS_ASCII(token):
                chars.append((<str> token).encode())
                self._tokens[number] = Token(begin, len(<str> token))
                begin += len(<str> token)
                wanted = _wanted(<str> token)
                k = (wanted.hash >> 32) & self._mask
                while self._slots[k].number:
                    k = (k + 1) & self._mask
                self._slots[k] = Slot(<uint32_t> (wanted.hash >> 16), number)
        self._chars = b"".join(chars)

    def __dealloc__(self):
        free(self._tokens)
        free(self._slots)

    cpdef int number(self, str token) except -1:
        cdef Wanted wanted
        if PyUnicode_IS_ASCII(token):
            wanted = _wanted(token)
            return self._find(&wanted)
        found = self._numbers.get(token)
        return 0 if found is None else found

    cpdef int read_words(self, str text, int most, bint whole) except -1:
        cdef unsigned char low[MAX_TEXT_CHARS + 1]
        cdef Wanted words[ROOM]
        cdef bint is_ascii = PyUnicode_IS_ASCII(text)
        cdef str lower = text if is_ascii else text.lower()
        cdef int kind = PyUnicode_KIND(lower)
        cdef void* data = PyUnicode_DATA(lower)
        cdef Py_UCS4 char, every = 0
        cdef Py_ssize_t k, begin = -1, size = len(lower)
        cdef int n = 0
        cdef uint64_t hash = _KEY, of_whole = _KEY
        most = min(most, ROOM)
        if size > MAX_TEXT_CHARS:
            for word in words_of(text.lower())[:most]:
                self.found.data.as_longlongs[n] = self.number(<str> word)
                n += 1
            if whole:
                self.found.data.as_longlongs[n] = self.number(text.lower())
                n += 1
            return n
        for k in range(size + 1):
            char = PyUnicode_READ(kind, data, k) if k < size else c" "
            if c"A" <= char <= c"Z":
                char = <Py_UCS4> (<unsigned int> char | 0x20)
            low[k] = <unsigned char> char
            of_whole = mixed(of_whole, low[k]) if k < size else of_whole
            if c"a" <= char <= c"z" or char > 0x7F and char not in "…•·–—’‘“”»«→›‹©®™" and not is_blank(char):
                if begin < 0:
                    begin, hash, every = k, _KEY, 0
                every = <Py_UCS4> (<unsigned int> every | <unsigned int> char)
                hash = mixed(hash, low[k])
            elif begin >= 0:
                if n == most:
                    break
                words[n] = Wanted(&low[begin], k - begin, hash)
                if every > 0x7F:
                    words[n] = Wanted(NULL, self.number(lower[begin:k]), 0)
                begin, n = -1, n + 1
        if whole:
            words[n] = Wanted(&low[0], size, of_whole)
            if not is_ascii:
                words[n] = Wanted(NULL, self.number(lower), 0)
            n += 1
        return self._find_all(words, n)

    cpdef int read_names(self, str class_names) except -1:
        cdef bytes encoded
        cdef const unsigned char* at
        cdef const unsigned char* end
        cdef const unsigned char* begin
        cdef unsigned char low[MAX_TOKEN_CHARS]
        cdef Wanted tokens[ROOM]
        cdef int blank, read = 0, n = 0
        cdef unsigned char* room = low
        if PyUnicode_IS_ASCII(class_names):
            at = PyUnicode_1BYTE_DATA(class_names)
            end = at + len(class_names)
        else:
            encoded = class_names.encode("utf-8", "surrogatepass")
            at = encoded
            end = at + len(encoded)
        while read < MAX_CLASS_NAMES:
            blank = 1
            while at < end and blank:
                blank = blank_size(at, end)
                at += blank
            if at == end:
                break
            begin = at
            while at < end and not blank_size(at, end):
                at += 1
            n += _tokens_of_name(begin, at, &room, tokens + n)
            read += 1
        return self._find_all(tokens, n)

    cdef int _find(self, const Wanted* token) noexcept:
        """Return the number of a token of ASCII."""
        cdef uint64_t k = (token.hash >> 32) & self._mask
        cdef const Token* known
        cdef const char* chars = self._chars
        while self._slots[k].number:
            if self._slots[k].mark == <uint32_t> (token.hash >> 16):
                known = &self._tokens[self._slots[k].number]
                if known.size == token.size and memcmp(chars + known.begin, token.at, token.size) == 0:
                    return self._slots[k].number
            k = (k + 1) & self._mask
        return 0

    cdef int _find_all(self, const Wanted* tokens, int n) noexcept:
        """Write the numbers of tokens into ``found``.

        All slots are prefetched first: a table of thousands of tokens is in no near cache.
        """
        cdef const char* chars = self._chars
        cdef int k
        cdef long long* found = self.found.data.as_longlongs
        for k in range(n):
            fetch(&self._slots[(tokens[k].hash >> 32) & self._mask])
        for k in range(n):
            found[k] = self._slots[(tokens[k].hash >> 32) & self._mask].number
            fetch(&self._tokens[found[k]])
        for k in range(n):
            fetch(chars + self._tokens[found[k]].begin)
        for k in range(n):
            found[k] = tokens[k].size if tokens[k].at is NULL else self._find(&tokens[k])
        return n


cdef Wanted _wanted(str token) noexcept:
    """Return a text of ASCII as a token to look up."""
    cdef Wanted wanted = Wanted(PyUnicode_1BYTE_DATA(token), len(token), _KEY)
    cdef Py_ssize_t k
    for k in range(wanted.size):
        wanted.hash = mixed(wanted.hash, wanted.at[k])
    return wanted


cdef struct Part:
    const unsigned char* at
    Py_ssize_t size


cdef int _tokens_of_name(
    const unsigned char* at, const unsigned char* end, unsigned char** room, Wanted* tokens
) noexcept:
    """Write the tokens of a name, and their characters into ``room``; return how many there are."""
    cdef unsigned char* part = room[0]
    cdef unsigned char* whole = part + MAX_NAME_CHARS
    cdef unsigned char char
    cdef uint64_t hash, of_whole = _KEY
    cdef Py_ssize_t k, size = 0
    cdef int parts = 0, n = 0
    cdef Part next
    end = _first_chars(at, end)
    while _next_part(&at, end, &next):
        parts += 1
        hash = _KEY
        if parts > 1 and size < MAX_CHARS:
            whole[size] = c"-"
            of_whole = mixed(of_whole, c"-")
            size += 1
        for k in range(next.size):
            char = next.at[k] | 0x20
            part[k] = char
            hash = mixed(hash, char)
            if size < MAX_CHARS:
                whole[size] = char
                of_whole = mixed(of_whole, char)
                size += 1
        if parts <= MAX_PARTS:
            tokens[n] = Wanted(part, next.size, hash)
            n += 1
            part += next.size
    if parts > 1:
        tokens[n] = Wanted(whole, size, of_whole)
        n += 1
    room[0] = whole + MAX_CHARS
    return n


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
