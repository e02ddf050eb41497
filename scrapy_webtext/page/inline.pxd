cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Longs
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.page.nodes cimport Nodes

cdef int _INLINE, _BLOCK, _PARAGRAPH, _REACH


@cython.locals(kinds=array, parent=Longs, kind_of=Longs, around=_Around, found=list, i=Py_ssize_t)
cpdef frozenset find_inline(Nodes nodes, bytearray hidden)


@cython.final
cdef class _Around:
    cdef Texts text, tail
    cdef bytearray hidden
    cdef array parent, end, kinds

    @cython.locals(parent=Longs, kind_of=Longs, around=list, outer=Py_ssize_t, block=Py_ssize_t)
    cdef bint is_in_line(self, Py_ssize_t node) except -1
    @cython.locals(parent=Longs, up=Py_ssize_t, before=Py_ssize_t)
    cdef bint _is_beside(self, Py_ssize_t node) except -1
    @cython.locals(end=Longs, k=Py_ssize_t, i=Py_ssize_t, first=Py_ssize_t)
    cdef bint _is_after(self, list around, Py_ssize_t block) except -1
    @cython.locals(end=Longs, k=Py_ssize_t, i=Py_ssize_t, node=Py_ssize_t)
    cdef bint _is_before(self, list around, Py_ssize_t block) except -1
