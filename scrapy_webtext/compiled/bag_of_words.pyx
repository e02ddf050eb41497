"""Twin of ``extractors/fusion/features/bag_of_words.py``: words of the prose, looked up where they lie."""

from cpython.array cimport array
from libc.stdint cimport uint64_t

from scrapy_webtext.compiled.arrays cimport as_integers, integer_at
from scrapy_webtext.core.characters cimport PyUnicode_1BYTE_DATA, PyUnicode_IS_ASCII
from scrapy_webtext.compiled.token_table cimport HASH, TokenTable, Wanted, mixed, table_of, wanted_text
from scrapy_webtext.extractors.fusion.features import bag_of_words as python

cdef enum:
    OPENING_CHARS = 2_000
    ROOM = 100  # words that are looked up together


cdef class Bag:
    """The weights of the distinct terms so far."""

    cdef TokenTable table
    cdef bytearray seen
    cdef list weights
    cdef Py_ssize_t left  # words that are read of the prose

    cdef int add(self, int number) except -1:
        if number and not self.seen[number]:
            self.seen[number] = True
            self.weights.append(self.table.tokens[number].content)
        return 0

    cdef int add_ascii(self, str text) except -1:
        """Add words of a text, of those that are left to read."""
        cdef unsigned char low[OPENING_CHARS]
        cdef Wanted words[ROOM]
        cdef const unsigned char* chars = PyUnicode_1BYTE_DATA(text)
        cdef unsigned char char
        cdef Py_ssize_t k, begin = -1, n = 0, size = min(len(text), OPENING_CHARS)
        cdef uint64_t hash = HASH
        for k in range(size + 1):
            char = chars[k] | 0x20 if k < size else c" "
            if c"a" <= char <= c"z":
                if begin < 0:
                    begin, hash = k, HASH
                low[k] = char
                hash = mixed(hash, char)
            elif begin >= 0:
                words[n] = Wanted(&low[begin], k - begin, hash)
                begin, n = -1, n + 1
                if n == self.left or n == ROOM:
                    self._add_all(words, n)
                    n = 0
                    if not self.left:
                        return 0
        return self._add_all(words, n)

    cdef int _add_all(self, const Wanted* words, Py_ssize_t n) except -1:
        cdef int found[ROOM]
        cdef Py_ssize_t k
        self.table.find_all(words, n, found)
        for k in range(n):
            self.add(found[k])
        self.left -= n
        return 0


def term_weights(weights, table, set declared not None):
    cdef list text = table.texts.text
    cdef array prose = as_integers(table.texts.prose)
    cdef Bag bag = Bag()
    cdef Py_ssize_t k
    cdef str one
    bag.table, bag.weights = table_of(weights, weights, {}), []
    bag.seen, bag.left = bytearray(bag.table.count), python.OPENING_WORDS
    for term in declared:
        if PyUnicode_IS_ASCII(<str?> term):
            bag.table.fetch(wanted_text(<str> term).hash)
    for term in declared:
        bag.add(bag.table.number_of(<str?> term))
    for k in range(len(text)):
        if not bag.left:
            break
        if not integer_at(prose, k):
            continue
        one = <str?> text[k]
        if PyUnicode_IS_ASCII(one):
            bag.add_ascii(one)
            continue
        for term in python.words_of(one[:OPENING_CHARS].lower())[: bag.left]:
            bag.add(bag.table.number_of(<str?> term))
            bag.left -= 1
    return bag.weights
