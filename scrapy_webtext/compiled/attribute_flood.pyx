"""Twin of ``page/attribute_flood.py``: what its patterns match, found by one scan of the source.

The pattern of a tag never has to try again what it has matched, so that a scan from left to right
finds the same. All that matters but a few blanks is ASCII: wide strings are scanned as bytes. Only
the attributes of tags with many of them become strings.
"""

cimport cython
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc
from libc.string cimport memchr

from scrapy_webtext.compiled.strings cimport Char, is_blank

#: As in ``page/attribute_flood.py``, which the tests of both hold together.
cdef enum:
    SMALL_SOURCE = 16_384
    MAX_ATTRIBUTES = 300
    MAX_NESTED = 1_000
    MAX_NESTED_CHARS = 20_000
    MAX_LONG = 8
    MAX_VALUES = 2_000
    COST_PER_CHAR = 10
    TOO_MANY = 1 << 30
    LEAST_CHARS = 600
    #: Stands for all characters of wide strings that are not ASCII.
    WIDE = 0xFF
    #: Characters of a wide string whose bytes are kept for the next one.
    ROOM = 1 << 20

cdef unsigned char* _room = NULL
cdef bint _is_room_taken = False


@cython.final
cdef class Source:
    """The characters of a string as bytes."""

    cdef str text
    cdef const unsigned char* char
    cdef Py_ssize_t length
    cdef unsigned char* _own
    cdef bint _has_room

    def __cinit__(self, str text):
        global _room, _is_room_taken
        cdef unsigned int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef unsigned char* made
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
        self.text, self.length = text, n
        if kind == PyUnicode_1BYTE_KIND:
            self.char = <const unsigned char*> data
            return
        if self.length <= ROOM and not _is_room_taken:
            if _room is NULL:
                _room = <unsigned char*> malloc(ROOM)
            made = _room
            self._has_room = _is_room_taken = made is not NULL
        else:
            self._own = made = <unsigned char*> malloc(self.length)
        if made is NULL:
            raise MemoryError
        if kind == PyUnicode_2BYTE_KIND:
            _narrow(made, <const unsigned short*> data, n)
        else:
            _narrow(made, <const unsigned int*> data, n)
        self.char = made

    def __dealloc__(self):
        global _is_room_taken
        free(self._own)
        if self._has_room:
            _is_room_taken = False

    cdef inline bint is_space(self, Py_ssize_t i) noexcept:
        cdef unsigned char char = self.char[i]
        if char < 0x80:
            return is_blank(char)
        return is_blank(PyUnicode_READ(PyUnicode_KIND(self.text), PyUnicode_DATA(self.text), i))

    cdef inline Py_ssize_t find(self, int char, Py_ssize_t i, Py_ssize_t n) noexcept:
        """Return where a character is next, n where nowhere."""
        cdef const void* found = memchr(self.char + i, char, n - i) if i < n else NULL
        return n if found is NULL else <const unsigned char*> found - self.char

    cdef Py_ssize_t value_end(self, Py_ssize_t i, Py_ssize_t n) noexcept:
        """Return where the value in quotes ends that stands behind a "=", i where none does."""
        cdef Py_ssize_t k = i
        while k < n and self.is_space(k):
            k += 1
        if k < n and (self.char[k] == c'"' or self.char[k] == c"'"):
            return self.find(self.char[k], k + 1, n) + 1
        return i

    cdef Py_ssize_t tag_end(self, Py_ssize_t i, Py_ssize_t n) noexcept:
        """Return where the tag ends that begins at i, as `_TAG` matches it in source[:n]."""
        cdef Py_ssize_t values = 0, k
        i += 2
        while True:
            while i < n and self.char[i] != c'>' and self.char[i] != c'=':
                i += 1
            if i >= n or self.char[i] == c'>' or values == MAX_VALUES:
                return i
            values += 1
            i += 1
            k = self.value_end(i, n)
            if k <= n:  # else its quotes are not closed
                i = k

    cdef Py_ssize_t attributes(self, Py_ssize_t i, Py_ssize_t n, set different) except -1:
        """Return the attributes of the tag source[i:n], `TOO_MANY` for too many values.

        Those that are repeated count each time; ``different`` gets them all, if it is given.
        """
        cdef Py_ssize_t k, begin = -1, values = 0, found = 0
        while i < n:
            if self.char[i] == c'=':
                values += 1
                k = self.value_end(i + 1, n)
                if k > i + 1:
                    if begin >= 0 and different is not None:
                        different.add(self.text[begin:i])
                    begin, i = -1, k
                    continue
            if self.char[i] == c'/' or self.is_space(i):
                if begin >= 0 and different is not None:
                    different.add(self.text[begin:i])
                begin = -1
            elif begin < 0:
                begin = i
                found += 1
            i += 1
        if begin >= 0 and different is not None:
            different.add(self.text[begin:n])
        return found if values < MAX_VALUES else TOO_MANY

    cdef double tree_cost(self, Py_ssize_t i, Py_ssize_t n) except -1:
        cdef Py_ssize_t found
        cdef set different = set()
        if n - i <= LEAST_CHARS:
            return 0
        found = self.attributes(i, n, None)
        if found <= MAX_ATTRIBUTES or found == TOO_MANY:
            return 0 if found <= MAX_ATTRIBUTES else INFINITY
        self.attributes(i, n, different)
        found = len(different)
        return <double> found * found if found > MAX_ATTRIBUTES else 0


cdef inline void _narrow(unsigned char* to, const Char* wide, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        to[i] = <unsigned char> wide[i] if wide[i] < 0x80 else <unsigned char> WIDE


cdef inline bint _is_letter(unsigned char char) noexcept:
    return c'a' <= (char | 32) <= c'z' and char < 128


def has_swollen_tag(str source not None):
    """Return whether tags of some HTML may have so many attributes that a tree would be costly."""
    if PyUnicode_GET_LENGTH(source) < SMALL_SOURCE:
        return False
    cdef Source own = Source(source)
    cdef Py_ssize_t i = 0, n = own.length, end
    cdef Cost cost = Cost(COST_PER_CHAR * n)
    if own.find(0, 0, n) < n:
        return has_swollen_tag(source.replace("\0", ""))
    while True:
        i = own.find(c'<', i, n)
        if i + 1 >= n:
            return False
        if not _is_letter(own.char[i + 1]):
            i += 1
            continue
        end = own.tag_end(i, n)
        if cost.is_too_high(own, i, end) or cost.is_too_high_inside(own, i, end):
            return True
        i = end


@cython.final
cdef class Cost:
    """What is left of what tags with many attributes may cost."""

    cdef double _left
    cdef Py_ssize_t _nested, _long

    def __cinit__(self, double left):
        self._left = left

    cdef bint is_too_high(self, Source own, Py_ssize_t i, Py_ssize_t end) except -1:
        self._left -= own.tree_cost(i, end)
        return self._left < 0

    cdef bint is_too_high_inside(self, Source own, Py_ssize_t i, Py_ssize_t end) except -1:
        """Count the tags that seem to begin in the tag at i."""
        cdef Py_ssize_t k = i + 1, inner
        while True:
            k = own.find(c'<', k, end)
            if k + 1 >= end:
                return False
            if _is_letter(own.char[k + 1]):
                inner = own.tag_end(k, min(own.length, k + MAX_NESTED_CHARS))
                if inner == k + MAX_NESTED_CHARS:
                    self._long += 1
                    inner = own.tag_end(k, own.length)
                if self._nested == MAX_NESTED or self._long > MAX_LONG:
                    return True
                self._nested += 1
                if self.is_too_high(own, k, inner):
                    return True
            k += 1
