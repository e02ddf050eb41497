"""Twin of ``extractors/pvalue/lengths.py``, for white space folded and characters as they are.

Other readings of the paper, which few ask for, are left to Python.
"""

cimport cython
from cpython cimport array
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF

from array import array as make_array

from scrapy_webtext.compiled import in_python

from scrapy_webtext.compiled.attributes cimport Attributes, stored
from scrapy_webtext.compiled.strings cimport is_blank, is_space
from scrapy_webtext.compiled.untracked cimport untracked

cdef array.array _EMPTY = make_array("q")

cdef enum:
    SLOTS = 256


cdef inline int _edges(str text):
    """Return how many characters the white space at the edges of a text is folded to."""
    cdef bint first = is_blank(text[0]), last = is_blank(text[len(text) - 1])
    return 1 if first and last and is_space(text) else first + last


cdef list _sums(long long[::1] values, Py_ssize_t n):
    """Return prefix sums: one longer than the values."""
    cdef list sums = PyList_New(n + 1)
    cdef Py_ssize_t k, total = 0
    cdef object value = 0
    Py_INCREF(value)
    PyList_SET_ITEM(sums, 0, value)
    for k in range(n):
        if values[k]:
            total += values[k]
            value = total
        Py_INCREF(value)
        PyList_SET_ITEM(sums, k + 1, value)
    return untracked(sums)


@cython.final
cdef class Numbers:
    """Whole numbers, 0 at first."""

    cdef long long[::1] at

    def __cinit__(self, Py_ssize_t n):
        self.at = array.clone(_EMPTY, max(n, 1), zero=True)


def read_lengths(page, measuring):
    from scrapy_webtext.extractors.pvalue.lengths import _TAG_CHARS, Lengths, _removed_tops
    from scrapy_webtext.page.masks import either

    if (measuring.whitespace, measuring.entities, measuring.empty) != (
        "folded", "characters", "kept"
    ):
        return in_python("extractors.pvalue.lengths.read_lengths")(page, measuring)
    nodes, runs = page.nodes, page.runs
    cdef bytearray hidden = page.hidden, linked = page.is_link
    cdef bint skips_hidden = measuring.hidden == "skipped"
    tops = _removed_tops(page, measuring.forms, page.concealed if skips_hidden else [])
    cdef bytearray removed = nodes.below(tops)
    cdef bytearray unread = either(removed, hidden) if skips_hidden else removed
    cdef list owner = runs.node, texts = runs.text, tag = nodes.tag
    cdef Py_ssize_t n = len(tag), k_runs = len(texts), i, k, length, all_valid = 0
    cdef bint has_text = False
    cdef Numbers text = Numbers(k_runs), valid = Numbers(k_runs), own = Numbers(n)
    for k in range(k_runs):
        i = owner[k]
        if unread[i]:
            continue
        length = len(<str> texts[k])
        text.at[k] = length
        if not linked[i]:
            has_text = True
            valid.at[k] = length
            all_valid += length
    cdef void* names[SLOTS]
    cdef Py_ssize_t chars[SLOTS]
    cdef void* name
    for k in range(SLOTS):
        names[k] = NULL
    for i in range(n):
        if not removed[i]:
            name = <void*> tag[i]
            k = ((<Py_ssize_t> name >> 4) ^ (<Py_ssize_t> name >> 12)) & (SLOTS - 1)
            if names[k] is not name:
                names[k] = name
                chars[k] = _TAG_CHARS[tag[i]]
            own.at[i] = chars[k]
    return Lengths(
        removed,
        unread,
        runs.first,
        runs.end,
        _sums(text.at, k_runs),
        _sums(valid.at, k_runs),
        _sums(own.at, n),
        all_valid if has_text else 0,
    )


def _removed_tops(page, forms, concealed):
    from scrapy_webtext.extractors.pvalue.lengths import REMOVED_TAGS

    nodes, runs = page.nodes, page.runs
    if forms == "removed":
        return nodes.tops(REMOVED_TAGS) + concealed
    tops = nodes.tops(REMOVED_TAGS - {"form"}) + concealed
    found = nodes.tops(frozenset({"form"}))
    if not found:
        return tops
    cdef bytearray removed = nodes.below(tops), linked = page.is_link
    cdef list owner = runs.node, texts = runs.text, first = runs.first, end = runs.end, valid
    cdef Py_ssize_t n = len(texts), k, i
    cdef Numbers values = Numbers(n)
    for k in range(n):
        i = owner[k]
        if not removed[i] and not linked[i]:
            values.at[k] = len(<str> texts[k])
    valid = _sums(values.at, n)
    for i in found:
        if 2 * (valid[<Py_ssize_t> end[i]] - valid[<Py_ssize_t> first[i]]) <= valid[n]:
            tops.append(i)
    return tops


def kept(self, list chars, nodes):
    cdef bytearray removed = self.removed
    cdef Py_ssize_t first = nodes.start, n = len(nodes), i
    cdef Numbers values = Numbers(n)
    for i in range(n):
        if not removed[first + i]:
            values.at[i] = chars[first + i]
    return _sums(values.at, n)


def add_more(list chars, nodes, measuring, some):
    if measuring.attributes == "paper" and measuring.entities != "characters":
        return in_python("extractors.pvalue.lengths.add_more")(chars, nodes, measuring, some)
    cdef list text = nodes.text, tail = nodes.tail, parent = nodes.parent
    cdef Py_ssize_t first = some.start, end = some.stop, i
    if measuring.attributes == "paper":
        _add_attributes(chars, nodes.attributes, first, end)
    if measuring.whitespace != "folded":
        return None
    for i in range(first, end):
        piece = text[i]
        if piece:
            _add(chars, i, _edges(<str> piece))
        piece = tail[i]
        if piece:
            _add(chars, parent[i], _edges(<str> piece))
    return None


cdef inline int _add(list chars, Py_ssize_t i, Py_ssize_t more) except -1:
    if more and i >= 0:
        chars[i] = <Py_ssize_t> chars[i] + more
    return 0


cdef int _add_attributes(list chars, attributes, Py_ssize_t first, Py_ssize_t end) except -1:
    from scrapy_webtext.extractors.pvalue.lengths import REMOVED_ATTRIBUTES

    cdef Attributes table = stored(attributes)
    cdef bytearray is_removed = bytearray([name in REMOVED_ATTRIBUTES for name in table.names])
    cdef Py_ssize_t i, k = table.place[first], last, more
    for i in range(first, end):
        last = table.place[i + 1]
        more = 0
        while k < last:
            if not is_removed[table.name[k]]:
                more += len(<str> table.names[table.name[k]]) + table.chars(k) + 4
            k += 1
        _add(chars, i, more)
    return 0
