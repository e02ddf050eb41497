"""Twin of ``extractors/fusion/filters/landmarks.py``: the prose of all blocks, summed."""

from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.untracked cimport untracked


def _prose_sums(page, bytearray hidden not None):
    from scrapy_webtext.extractors.fusion.filters import landmarks as python

    blocks = page.blocks
    cdef list chars = blocks.chars, links = blocks.link_chars, node = blocks.node
    cdef list sums = untracked([0])
    cdef Py_ssize_t k, n, linked, total = 0, least = python.MIN_PROSE_CHARS
    cdef double most = python.MAX_PROSE_LINK_DENSITY
    for k in range(len(node)):
        n, linked = chars[k], links[k]
        if n - linked >= least and linked < most * n and not hidden[<Py_ssize_t> node[k]]:
            total += n - linked
        sums.append(number(total))
    return sums
