"""Twin of ``page/head_boundary.py``."""

from scrapy_webtext.compiled import in_python

from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.nodes cimport Nodes

cdef Kinds _kinds = None

#: Bits of a tag, in the order of the sets that `_kinds` is made of.
cdef enum Kind:
    IS_HEAD = 1
    MAY_STAY = 2


def end_heads(nodes):
    global _kinds
    from scrapy_webtext.page import head_boundary

    if not isinstance(nodes, Nodes):
        return in_python("page.head_boundary.end_heads")(nodes)
    if _kinds is None:
        _kinds = Kinds(frozenset({"head"}), head_boundary.HEAD_CONTENT)
    cdef Nodes own = <Nodes> nodes
    cdef bytearray kinds = own.kinds(_kinds)
    cdef Py_ssize_t i
    for i in range(own.count):
        if kinds[own.name[i]] & IS_HEAD:
            _end_head(own, kinds, i)
    return nodes


cdef int _end_head(Nodes nodes, bytearray kinds, Py_ssize_t head) except -1:
    cdef int last = nodes.last[head], child = <int> head + 1, moved
    while child < last and kinds[nodes.name[child]] & MAY_STAY:
        child = nodes.last[child]
    if child >= last:
        return 0
    nodes._parent = nodes._end = None  # columns that were given out before would be stale
    nodes.last[head] = moved = child
    while child < last:
        nodes.up[child] = nodes.up[head]
        moved, child = child, nodes.last[child]
    nodes.tail[moved] = (nodes.tail.at(moved) + nodes.tail.at(head)) or None
    nodes.tail[head] = None
    return 0
