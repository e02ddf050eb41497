"""Twin of ``extractors/fusion/filters/landmarks.py``: the prose of all blocks, summed."""

from cpython.array cimport array

from scrapy_webtext.compiled.arrays cimport as_integers, integer_at, integers


def _prose_sums(page, bytearray hidden not None):
    from scrapy_webtext.extractors.fusion.filters import landmarks as python

    blocks = page.blocks
    cdef array chars = as_integers(blocks.chars), links = as_integers(blocks.link_chars)
    cdef array node = as_integers(blocks.node), sums = integers(len(chars) + 1)
    cdef Py_ssize_t k, n, linked, total = 0, least = python.MIN_PROSE_CHARS
    cdef double most = python.MAX_PROSE_LINK_DENSITY
    for k in range(len(chars)):
        n, linked = integer_at(chars, k), integer_at(links, k)
        if n - linked >= least and linked < most * n and not hidden[integer_at(node, k)]:
            total += n - linked
        sums.data.as_longlongs[k + 1] = total
    return sums
