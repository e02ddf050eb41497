"""Twin of ``extractors/fusion/filters/landmarks.py``: prose is summed as numbers, masks are set in place."""

from bisect import bisect_left

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.string cimport memset

from scrapy_webtext.compiled.doubles cimport column
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.extractors.fusion.filters import landmarks as python

#: Bits of a tag: first those of the sets of landmarks, then these.
cdef enum Kind:
    LANDMARKS = 3
    IS_HEADLINE = 8
    IS_MAIN = 16
    IS_TEXT = 32
    IS_HEADER = 64

cdef Kinds _kinds = Kinds(
    *python._LANDMARKS, python._HEADLINE, python._MAIN, python._TEXTS, frozenset({"header"})
)


def excluded_nodes(page):
    nodes = page.nodes
    cdef list tag = nodes.tag, end = nodes.end, block_node = page.blocks.node
    cdef list among = nodes.tagged(python._LANDMARKS_AND_HEADLINE)
    cdef bytearray hidden = page.hidden, mask
    cdef dict room = {}
    cdef Py_ssize_t n = len(tag), blocks = len(block_node), k
    cdef double* prose = column(room, "prose", blocks + 1)
    _sum_prose(page.blocks, hidden, prose)
    if len(hidden) != n:
        raise ValueError(f"the mask has {len(hidden)} values, not {n}")
    mask = _outside_main(page, prose, blocks, among)
    cdef char* gone = PyByteArray_AS_STRING(mask)
    cdef const char* unseen = PyByteArray_AS_STRING(hidden)
    _add_boilerplate(page, prose, blocks, among, gone)
    for k in range(n):
        gone[k] |= unseen[k]
    for k in range(blocks):
        if not gone[<Py_ssize_t> block_node[k]]:
            return mask
    return hidden


cdef bytearray _outside_main(page, const double* prose, Py_ssize_t blocks, list among):
    cdef list parent = page.nodes.parent, end = page.nodes.end
    cdef bytearray mask = bytearray(len(end))
    cdef char* gone = PyByteArray_AS_STRING(mask)
    cdef list mains = _tops(page, IS_MAIN, among)
    cdef double held = 0.0
    cdef Py_ssize_t i
    for i in mains:
        held += _held(page, i, prose)
    if held / (prose[blocks] or 1) < <double> python.LEAST_MAIN_SHARE:
        return mask
    memset(gone, 1, len(end))
    for i in (*mains, *_tops(page, IS_HEADLINE, among)):
        memset(gone + i, 0, <Py_ssize_t> end[i] - i)
        i = parent[i]
        while i >= 0 and gone[i]:
            gone[i] = 0
            i = parent[i]
    return mask


cdef int _add_boilerplate(page, const double* prose, Py_ssize_t blocks, list among, char* gone) except -1:
    cdef list tag = page.nodes.tag, end = page.nodes.end
    cdef dict most = python.MAX_PROSE_SHARE
    cdef int landmark, bits
    cdef Py_ssize_t i
    for landmark in range(LANDMARKS):
        for i in _tops(page, 1 << landmark, among):
            bits = _kinds.of(<str> tag[i])
            if bits & IS_TEXT or (bits & IS_HEADER and "h1" in tag[i : end[i]]):
                continue
            if _held(page, i, prose) <= <double> most[tag[i]] * prose[blocks]:
                memset(gone + i, 1, <Py_ssize_t> end[i] - i)
    return 0


cdef list _tops(page, int kind, list among):
    """Return the nodes of a kind that are inside no other such node."""
    cdef list tag = page.nodes.tag, end = page.nodes.end, found = []
    cdef Py_ssize_t i, outside = 0
    for i in among:
        if i >= outside and _kinds.of(<str> tag[i]) & kind:
            found.append(i)
            outside = end[i]
    return found


cdef double _held(page, Py_ssize_t node, const double* prose) except -1:
    cdef list first_run = page.blocks.first_run
    cdef Py_ssize_t begin = bisect_left(first_run, page.runs.first[node])
    return prose[<Py_ssize_t> bisect_left(first_run, page.runs.end[node], begin)] - prose[begin]


cdef int _sum_prose(blocks, bytearray hidden, double* prose) except -1:
    cdef list chars = blocks.chars, links = blocks.link_chars, node = blocks.node
    cdef Py_ssize_t k, n, unlinked, least = python.MIN_PROSE_CHARS
    cdef double most = python.MAX_PROSE_LINK_DENSITY
    prose[0] = 0
    for k in range(len(node)):
        n = chars[k]
        unlinked = n - <Py_ssize_t> links[k]
        prose[k + 1] = prose[k]
        if unlinked >= least and <Py_ssize_t> links[k] < most * n and not hidden[<Py_ssize_t> node[k]]:
            prose[k + 1] += unlinked
    return 0
