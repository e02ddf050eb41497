"""Twin of ``extractors/fusion/selection/completion.py``: pieces of one element, and the letters of a text."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.unicode cimport PyUnicode_FromKindAndData
from libc.string cimport memset

from scrapy_webtext.extractors.fusion.selection import completion as python

cdef enum:
    #: No less than ``COMPARED`` of the Python module.
    ROOM = 400


def with_pieces(page, texts, chosen):
    cdef list node = texts.node, words = texts.words, tag = page.nodes.tag
    cdef Py_ssize_t n = len(node), least = python.MIN_PIECES, first, end = 0, k, most
    cdef Py_ssize_t all_words, chosen_words, pieces, added = 0
    cdef bytearray mask = bytearray(n)
    cdef char* inside = PyByteArray_AS_STRING(mask)
    for k in chosen:
        inside[k] = 1
    while end < n:
        first = end
        all_words = chosen_words = pieces = 0
        while end < n and <Py_ssize_t> node[end] == <Py_ssize_t> node[first]:
            all_words += <Py_ssize_t> words[end]
            if inside[end]:
                chosen_words += <Py_ssize_t> words[end]
                pieces += 1
            end += 1
        if not pieces or end - first < least or tag[<Py_ssize_t> node[first]] in python._MIXED:
            continue
        most = end
        while not inside[first]:
            first += 1
        while not inside[most - 1]:
            most -= 1
        if most - first > pieces and chosen_words >= <double> python.MIN_SHARE * all_words:
            memset(inside + first, 1, most - first)
            added += most - first - pieces
    return [k for k in range(n) if inside[k]] if added else list(chosen)


def _letters(str text not None):
    cdef Py_UCS4 found[ROOM]
    cdef Py_UCS4 char
    cdef Py_ssize_t n = 0, most = min(<Py_ssize_t> python.COMPARED, ROOM)
    cdef str low = text[: 2 * most].lower()
    for char in low:
        if n == most:
            break
        if char.isalnum():
            found[n] = char
            n += 1
    return PyUnicode_FromKindAndData(4, found, n)
