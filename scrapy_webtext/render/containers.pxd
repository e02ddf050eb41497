cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Longs

cdef array _HELD, _WITHIN, _ENDS
cdef int _LIST, _ITEM, _CODE, _HEADING


@cython.final
cdef class Containers:
    cdef object _nodes
    cdef readonly array node, outer, kind
    cdef array _parent, _kinds, _known, _depth, _last_item, _below
    cdef dict _added
    cdef readonly Py_ssize_t count

    @cython.locals(known=Longs, parent=Longs, kind=Longs, depth=Longs, below=Longs,
        top=Py_ssize_t, most=Py_ssize_t, count=Py_ssize_t, frame=Py_ssize_t, i=Py_ssize_t)
    cpdef Py_ssize_t of(self, Py_ssize_t node) except -1
    @cython.locals(kind=Longs, outer=Longs, held=Longs)
    cpdef Py_ssize_t complete(self, Py_ssize_t frame) except -1
    @cython.locals(kind=Longs)
    cpdef bint is_code(self, Py_ssize_t frame) except -1
    @cython.locals(node=Longs, outer=Longs, path=list)
    cpdef tuple path(self, Py_ssize_t frame)
    @cython.locals(distinct=set, of_frame=dict, gone=set, frame=Py_ssize_t, is_gone=bytearray, kept=array)
    cpdef tuple drop_meaningless(self, list frames, list texts)
    @cython.locals(column=array, most=Py_ssize_t, kept=Longs, is_gone=Bytes, outer=Longs, depth=Longs, frame=Py_ssize_t, around=Py_ssize_t, is_left=bint)
    cdef array _drop(self, bytearray gone)
    @cython.locals(kind=Longs, outer=Longs, held=Longs, last_item=Longs, ends=Longs, within=Longs, parent=Py_ssize_t)
    cdef Py_ssize_t _inside(self, Py_ssize_t frame, Py_ssize_t node, Py_ssize_t role) except -1
    @cython.locals(nodes=Longs, kind=Longs, outer=Longs, depth=Longs, last_item=Longs, frame=Py_ssize_t)
    cdef Py_ssize_t _add(self, Py_ssize_t around, Py_ssize_t node, Py_ssize_t role) except -1

@cython.locals(shared=Py_ssize_t, most=Py_ssize_t)
cpdef Py_ssize_t count_shared(tuple one, tuple other) except -1
