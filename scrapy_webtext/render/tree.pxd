cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Longs

cdef list _HELD, _WITHIN, _ENDS
cdef int _LIST, _ITEM, _CODE, _HEADING, _TABLE, _POINT


@cython.final
cdef class Container:
    cdef readonly Py_ssize_t kind, key, depth
    cdef readonly Container outer
    cdef readonly bint is_gone


@cython.final
cdef class Containers:
    cdef object _nodes
    cdef array _parent, _kinds
    cdef list _known, _found
    cdef dict _added, _last
    cdef Py_ssize_t _most

    @cython.locals(parent=Longs, kinds=Longs, below=list, i=Py_ssize_t, found=Container)
    cpdef Container of(self, Py_ssize_t node)
    @cython.locals(found=Container)
    cpdef Container of_text(self, Py_ssize_t node)
    @cython.locals(one=Container, container=Container, left=list)
    cpdef list drop_meaningless(self, list parts)
    cdef Container _inside(self, Container around, Py_ssize_t node, Py_ssize_t kind)
    cdef Container _add(self, Container around, Py_ssize_t key, Py_ssize_t kind)


@cython.final
cdef class Node:
    cdef readonly str role
    cdef readonly Py_ssize_t key
    cdef readonly list children

@cython.locals(opened=list, node=Node, last=Container, one=Container, begun=list)
cpdef Node tree_of(parts)
