"""Twin of ``page/storable.py``: a text that stays as it is is told by a look at its characters."""

from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_KIND,
)

from scrapy_webtext.compiled import in_python
from scrapy_webtext.compiled.strings cimport Char


cdef bint _is_storable(const Char* data, Py_ssize_t n) noexcept:
    """Whether a text has no control characters but tab and line ends, and no noncharacters."""
    cdef Py_ssize_t k
    cdef Char refused = 0, char
    for k in range(n):  # without a way out, so that compilers take many at once
        char = data[k]
        refused |= (char < 0x20) & (char != 9) & (char != 10) & (char != 13)
        if sizeof(Char) > 1:
            refused |= (0xD800 <= char) & (char < 0xE000)
            refused |= (0xFFFE <= char) & (char <= 0xFFFF)
    return refused == 0


def storable_text(text):
    cdef Py_ssize_t n
    cdef const void* data
    cdef bint is_storable
    if type(text) is not str:  # but of a class of its own, as parsers have them
        return in_python("page.storable.storable_text")(text)
    n, data = len(<str> text), PyUnicode_DATA(text)
    if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
        is_storable = _is_storable(<const unsigned char*> data, n)
    elif PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND:
        is_storable = _is_storable(<const unsigned short*> data, n)
    else:
        is_storable = _is_storable(<const unsigned int*> data, n)
    return text if is_storable else in_python("page.storable.storable_text")(text)
