"""How many characters of a set, such as punctuation marks, a text has."""

cimport cython
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_KIND,
)

from scrapy_webtext.compiled.strings cimport Char


cdef Py_ssize_t _count_narrow(
    const unsigned char* is_mark, const unsigned char* data, Py_ssize_t n
) noexcept:
    cdef Py_ssize_t k, found = 0
    for k in range(n):
        found += is_mark[data[k]]
    return found


cdef Py_ssize_t _count(const unsigned char* bits, const Char* data, Py_ssize_t n) noexcept:
    cdef Py_ssize_t k, found = 0
    cdef unsigned int char
    for k in range(n):
        char = data[k]
        if char < CHARS:
            found += (bits[char >> 3] >> (char & 7)) & 1
    return found


@cython.final
cdef class Marks:
    """A set of characters below U+10000."""

    def __cinit__(self, str chars not None):
        cdef Py_ssize_t k
        cdef unsigned int char
        for k in range(len(chars)):
            char = <unsigned int> <Py_UCS4> chars[k]
            if char >= CHARS:
                raise ValueError(f"U+{char:X} is beyond U+FFFF")
            self._bits[char >> 3] |= 1 << (char & 7)
            if char < NARROW:
                self._is_mark[char] = 1

    cdef Py_ssize_t count_in(self, str text):
        """Return how many characters of a text are in the set."""
        cdef Py_ssize_t n = len(text)
        cdef const void* data = PyUnicode_DATA(text)
        if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
            return _count_narrow(self._is_mark, <const unsigned char*> data, n)
        if PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND:
            return _count(self._bits, <const unsigned short*> data, n)
        return _count(self._bits, <const unsigned int*> data, n)
