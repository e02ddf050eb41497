"""Twin of ``page/nodes.py``: the methods of `Nodes` that look at every node."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.string cimport memset

from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.untracked cimport untracked

cdef enum:
    SETS = 64

#: Sets of names -> their bits; the sets are constants, by and large.
cdef dict _known = {}


cdef Kinds _kinds(names):
    cdef Kinds found = _known.get(names)
    if found is None:
        if len(_known) >= SETS:
            _known.clear()
        found = Kinds(names)
        _known[names] = found
    return found


def nearest(self, names):
    cdef list tag = self.tag, parent = self.parent, column = []
    cdef Kinds kinds = _kinds(names)
    cdef Py_ssize_t i, up
    for i in range(len(tag)):
        up = parent[i]
        if up < 0 or kinds.of(<str> tag[i]):
            column.append(number(i))
        else:
            column.append(column[up])
    return untracked(column)


def tagged(self, names):
    cdef list tag = self.tag, found = []
    cdef Kinds kinds = _kinds(names)
    cdef Py_ssize_t i
    for i in range(len(tag)):
        if kinds.of(<str> tag[i]):
            found.append(number(i))
    return found


def tops(self, names, among=None):
    cdef list tag = self.tag, end = self.end, found = []
    cdef Kinds kinds = _kinds(names)
    cdef Py_ssize_t i, outside = 0
    if among is None:
        i = 0
        while i < len(tag):
            if kinds.of(<str> tag[i]):
                found.append(i)
                i = end[i]
            else:
                i += 1
        return found
    for i in among:
        if i >= outside and kinds.of(<str> tag[i]):
            found.append(i)
            outside = end[i]
    return found


def inside(self, names):
    return below(self, tops(self, names))


def below(self, tops):
    cdef list end = self.end
    cdef bytearray mask = bytearray(len(end))
    cdef Py_ssize_t i, last
    for i in tops:
        last = end[i]
        if not 0 <= i <= last <= len(end):
            raise IndexError(i)
        memset(PyByteArray_AS_STRING(mask) + i, 1, last - i)
    return mask
