"""Twin of ``extractors/fusion/features/class_names.py``: the tokens of names, read from UTF-8.

A name that is there twice is read twice, which costs less than to remember it.
"""

cimport cython
from libc.stdint cimport uint64_t

from scrapy_webtext.compiled import in_python
from scrapy_webtext.core.characters cimport blank_size, PyUnicode_1BYTE_DATA, PyUnicode_IS_ASCII
from scrapy_webtext.compiled.token_table cimport HASH, Token, TokenTable, Wanted, mixed

#: As in the Python module, which the tests of both hold together.
cdef enum:
    MAX_CLASS_NAMES = 12
    MAX_PARTS = 8
    MAX_CHARS = 40
    MAX_NAME_CHARS = 200
    #: Characters of all tokens of an element: of the parts of each name, and of the whole.
    MAX_TOKEN_CHARS = MAX_CLASS_NAMES * (MAX_NAME_CHARS + MAX_CHARS)


cdef struct Part:
    const unsigned char* at
    Py_ssize_t size


@cython.final
cdef class Scorer:
    """What the class names of an element say: their scores, and their weights in the bag of words."""

    def __cinit__(self, scores, weights):
        # A token's score is its ``content``, its weight is its ``article``.
        self.table = TokenTable(None, dict(scores), dict(weights))
        self._tokens = ["", *dict.fromkeys((*scores, *weights))]

    def __call__(self, str names not None):
        """Return the lowest score, the highest, and the weights of the tokens that have one."""
        cdef bytes encoded = names.encode("utf-8", "surrogatepass")
        cdef int found[MAX_TOKENS]
        cdef int k, n = self.find(encoded, len(encoded), found)
        cdef double low = 0.0, high = 0.0, one
        cdef dict bag = {}
        for k in range(n):
            one = self.table.tokens[found[k]].content
            low, high = min(low, one), max(high, one)
            if self.table.tokens[found[k]].is_of_article:
                bag[self._tokens[found[k]]] = self.table.tokens[found[k]].article
        return low, high, bag

    cdef list weights(self, class_names):
        """Return the weights of the distinct tokens of these names."""
        cdef bytearray seen = bytearray(self.table.count)
        cdef int tokens[MAX_TOKENS]
        cdef int n
        cdef bytes encoded
        cdef list found = []
        cdef str names
        for names in class_names:
            if PyUnicode_IS_ASCII(names):
                n = self.find(PyUnicode_1BYTE_DATA(names), len(names), tokens)
            else:
                encoded = names.encode("utf-8", "surrogatepass")
                n = self.find(encoded, len(encoded), tokens)
            self.note(tokens, n, seen, found)
        return found

    cdef int note(self, const int* tokens, int n, bytearray seen, list weights) except -1:
        """Add the weights of those of some tokens that were not seen before."""
        cdef const Token* token
        cdef int k
        for k in range(n):
            token = &self.table.tokens[tokens[k]]
            if token.is_of_article and not seen[tokens[k]]:
                seen[tokens[k]] = True
                weights.append(token.article)
        return 0

    cdef int find(self, const unsigned char* names, Py_ssize_t size, int* found) noexcept:
        """Write the numbers of the tokens that have scores or weights; return how many there are."""
        cdef const unsigned char* end = names + size
        cdef const unsigned char* begin
        cdef unsigned char low[MAX_TOKEN_CHARS]
        cdef Wanted tokens[MAX_TOKENS]
        cdef int blank, read = 0, n = 0, k, known = 0
        cdef unsigned char* room = low
        while read < MAX_CLASS_NAMES:
            blank = 1
            while names < end and blank:
                blank = blank_size(names, end)
                names += blank
            if names == end:
                break
            begin = names
            while names < end and not blank_size(names, end):
                names += 1
            n += _tokens_of_name(begin, names, &room, tokens + n)
            read += 1
        self.table.find_all(tokens, n, found)
        for k in range(n):
            if found[k]:
                found[known] = found[k]
                known += 1
        return known


cdef class ScoredNames(list):
    """Class names with the weights of their distinct tokens, which are known before one asks."""


cdef int _tokens_of_name(
    const unsigned char* at, const unsigned char* end, unsigned char** room, Wanted* tokens
) noexcept:
    """Write the tokens of a name, and their characters into ``room``; return how many there are."""
    cdef unsigned char* part = room[0]
    cdef unsigned char* whole = part + MAX_NAME_CHARS
    cdef unsigned char char
    cdef uint64_t hash, of_whole = HASH
    cdef Py_ssize_t k, size = 0
    cdef int parts = 0, n = 0
    cdef Part next
    end = _first_chars(at, end)
    while _next_part(&at, end, &next):
        parts += 1
        hash = HASH
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
    """Find the next match of ``[A-Z]?[a-z]+|[A-Z]+``, and go behind it."""
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


def class_name_scorer(scores, weights=None):
    return Scorer(scores, weights or {})


def bag_weights(score, class_names):
    if type(score) is not Scorer:
        return in_python("extractors.fusion.features.class_names.bag_weights")(score, class_names)
    if type(class_names) is ScoredNames and (<ScoredNames> class_names).scorer is score:
        return (<ScoredNames> class_names).weights
    return (<Scorer> score).weights(class_names)
