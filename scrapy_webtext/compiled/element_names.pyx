"""The class names of a page's elements as numbers: strings are made of the distinct ones alone."""

cimport cython
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free

from scrapy_webtext.compiled.byte_strings cimport ByteStrings
from scrapy_webtext.compiled.class_names cimport MAX_TOKENS, ScoredNames, Scorer
from scrapy_webtext.core.memory cimport resized


@cython.final
cdef class ElementNames:
    """The names of elements: class, id, role and itemprop, joined by spaces.

    ``texts`` and ``scores`` have those that differ; number 0 is that of elements without names.
    """

    def __cinit__(self, Scorer scorer):
        self._known, self._kinds, self._scorer = ByteStrings(), ByteStrings(), scorer
        self._known.add(b"", 0)
        self._kinds.add(b"", 0)
        self.texts, self._left = [""], MAX_PAGE_CLASS_NAME_CHARS
        self._seen, self._weights = bytearray(scorer.table.count), []

    def __dealloc__(self):
        free(self.scores)
        free(self._class)

    cdef void begin(self) noexcept:
        """Begin with a further element."""
        self._size = self._chars = 0

    cdef void join(self, const unsigned char* value, Py_ssize_t size) noexcept:
        """Add an attribute of the element, up to the characters that are read."""
        cdef Py_ssize_t k
        if self._size:
            self._put(c" ")
        for k in range(size):
            if not self._put(value[k]):
                return

    cdef inline bint _put(self, unsigned char char) noexcept:
        """Add a byte, unless it begins a character too many, or there is no room for it."""
        if self._size == MAX_JOINED:
            return False
        if char & 0xC0 != 0x80:
            if self._chars == MAX_CLASS_NAME_CHARS:
                return False
            self._chars += 1
        self._joined[self._size] = char
        self._size += 1
        return True

    cdef int number(self) except -1:
        """Return the number of the element's names; 0, too, where the page has too many."""
        cdef int room, found = self._known.find(self._joined, self._size)
        if found >= 0:
            return found
        self._left -= self._chars
        if self._left < 0:
            return 0
        found = self._known.add(self._joined, self._size)
        if found >= self._room:
            room = 2 * found + 100
            self.scores, self._room = <NameScores*> resized(self.scores, room * sizeof(NameScores)), room
        self.scores[found] = self._score()
        self.texts.append(
            PyUnicode_DecodeUTF8(<const char*> self._joined, self._size, "surrogatepass")
        )
        return found

    cdef NameScores _score(self) except *:
        """Return the scores of the element's names; note the weights of their tokens."""
        cdef int tokens[MAX_TOKENS]
        cdef int k, n = self._scorer.find(self._joined, self._size, tokens)
        cdef double one
        cdef NameScores found = NameScores(0.0, 0.0)
        for k in range(n):
            one = self._scorer.table.tokens[tokens[k]].content
            if one < found.low:
                found.low = one
            elif one > found.high:
                found.high = one
        self._scorer.note(tokens, n, self._seen, self._weights)
        return found

    cdef ScoredNames distinct(self):
        """Return the names that were numbered, without the empty ones."""
        cdef ScoredNames found = ScoredNames(self.texts[1:])
        found.scorer, found.weights = self._scorer, self._weights
        return found

    cdef int kind(self, const unsigned char* value, size_t size) except -1:
        """Return the number of a class, one for those that differ in digits alone; 0 for none."""
        cdef size_t k, n = 0
        if size > self._class_room:
            self._class = <unsigned char*> resized(self._class, 2 * size)
            self._class_room = 2 * size
        for k in range(size):
            self._class[n] = value[k]
            n += not c"0" <= value[k] <= c"9"
        return self._kinds.add(self._class, n)
