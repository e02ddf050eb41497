"""Twin of ``page/attribute_flood.py``: what its patterns match, found by one scan of the source.

The pattern of a tag never has to try again what it has matched, so that a scan from left to right
finds the same. Only tags long enough to be swollen become strings, which the Python functions
look at.
"""

from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)
from libc.string cimport memchr

ctypedef unsigned char Byte
ctypedef unsigned short Pair
ctypedef unsigned int Four

ctypedef fused Char:
    Byte
    Pair
    Four

#: As in ``page/attribute_flood.py``, which the tests of both hold together.
cdef enum:
    SMALL_SOURCE = 16_384
    MAX_ATTRIBUTES = 300
    MAX_NESTED = 1_000
    MAX_NESTED_CHARS = 20_000
    MAX_VALUES = 2_000
    LEAST_CHARS = 600
    AT_ONCE = 32


cdef inline bint _is_letter(Four char) noexcept:
    return c'a' <= (char | 32) <= c'z' and char < 128


cdef inline Py_ssize_t _find(const Char* source, Four char, Py_ssize_t i, Py_ssize_t n) noexcept:
    """Return where a character is next, n where nowhere."""
    cdef const void* found
    cdef Py_ssize_t k
    cdef Char met
    if Char is Byte:
        found = memchr(source + i, char, n - i)
        return n if found is NULL else <const Byte*> found - source
    else:
        while i + AT_ONCE <= n:
            met = 0
            for k in range(AT_ONCE):  # without a branch, which C compilers make wide
                met |= source[i + k] == char
            if met:
                break
            i += AT_ONCE
        while i < n and source[i] != char:
            i += 1
        return i


cdef Py_ssize_t _tag_end(const Char* source, Py_ssize_t i, Py_ssize_t n) noexcept:
    """Return where the tag ends that begins at i, as `_TAG` matches it in source[:n]."""
    cdef Py_ssize_t values = 0, k
    i += 2
    while True:
        while i < n and source[i] != c'>' and source[i] != c'=':
            i += 1
        if i >= n or source[i] == c'>' or values == MAX_VALUES:
            return i
        values += 1
        i += 1
        k = i
        while k < n and Py_UNICODE_ISSPACE(source[k]):
            k += 1
        if k < n and (source[k] == c'"' or source[k] == c"'"):
            k = _find(source, source[k], k + 1, n)
            if k < n:
                i = k + 1


cdef bint _may_be_swollen(const Char* tag, Py_ssize_t n) noexcept:
    """Whether a tag has as many values or attributes, repeated ones too, as a swollen one."""
    cdef Py_ssize_t i = 0, k, values = 0, attributes = 0
    cdef bint within = False
    cdef Char char
    if n <= LEAST_CHARS:
        return False
    while i < n:
        char = tag[i]
        i += 1
        if char == c'=':
            values += 1
            k = i
            while k < n and Py_UNICODE_ISSPACE(tag[k]):
                k += 1
            if k < n and (tag[k] == c'"' or tag[k] == c"'"):
                k = _find(tag, tag[k], k + 1, n)
                i = k + 1
                within = False
                continue
        if char == c'/' or Py_UNICODE_ISSPACE(char):
            within = False
        elif not within:
            within = True
            attributes += 1
    return values >= MAX_VALUES or attributes > MAX_ATTRIBUTES


cdef bint _has_swollen(str text, const Char* source, Py_ssize_t n, object is_swollen) except -1:
    cdef Py_ssize_t i = 0, end, k, nested = 0, inner
    if _find(source, 0, 0, n) < n:
        return has_swollen_tag(text.replace("\0", ""))
    while True:
        i = _find(source, c'<', i, n)
        if i + 1 >= n:
            return False
        if not _is_letter(source[i + 1]):
            i += 1
            continue
        end = _tag_end(source, i, n)
        if _may_be_swollen(source + i, end - i) and is_swollen(text[i:end]):
            return True
        k = i + 1
        while True:
            k = _find(source, c'<', k, end)
            if k + 1 >= end:
                break
            if _is_letter(source[k + 1]):
                if nested == MAX_NESTED:
                    return True
                nested += 1
                inner = _tag_end(source, k, min(n, k + MAX_NESTED_CHARS))
                if inner == k + MAX_NESTED_CHARS:
                    return True
                if _may_be_swollen(source + k, inner - k) and is_swollen(text[k:inner]):
                    return True
            k += 1
        i = end


def has_swollen_tag(str source not None):
    """Return whether a tag of some HTML may have too many attributes."""
    from scrapy_webtext.page.attribute_flood import _is_swollen

    if PyUnicode_GET_LENGTH(source) < SMALL_SOURCE:
        return False
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(source)
    cdef const void* data = PyUnicode_DATA(source)
    cdef int kind = PyUnicode_KIND(source)
    if kind == PyUnicode_1BYTE_KIND:
        return _has_swollen(source, <const Byte*> data, n, _is_swollen)
    if kind == PyUnicode_2BYTE_KIND:
        return _has_swollen(source, <const Pair*> data, n, _is_swollen)
    return _has_swollen(source, <const Four*> data, n, _is_swollen)


cdef extern from *:
    bint Py_UNICODE_ISSPACE(Py_UCS4 char) noexcept
