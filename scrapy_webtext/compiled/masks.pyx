"""Twin of ``page/masks.py``: masks over nodes."""

from cpython.bytearray cimport PyByteArray_AS_STRING

from scrapy_webtext.compiled import in_python


def either(bytearray one not None, bytearray other not None):
    cdef Py_ssize_t n = len(one), k
    if len(other) != n:
        return in_python("page.masks.either")(one, other)
    cdef bytearray found = bytearray(one)
    cdef char* to = PyByteArray_AS_STRING(found)
    cdef const char* more = PyByteArray_AS_STRING(other)
    for k in range(n):
        to[k] |= more[k]
    return found
