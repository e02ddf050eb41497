cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Longs


@cython.final
cdef class Containers:
    cdef list _paths
    cdef object _nodes
    cdef array _parent, _kinds, _known
    cdef readonly dict role
    cdef dict _last_item

    @cython.locals(known=Longs, parent=Longs, kind=Longs, top=Py_ssize_t, inner=list, places=list, path=tuple, i=Py_ssize_t, place=Py_ssize_t)
    cpdef tuple of(self, Py_ssize_t node)
    cpdef tuple complete(self, tuple path)
    cdef tuple _inside(self, tuple path, Py_ssize_t node, str role)
    cdef str _innermost(self, tuple path)

@cython.locals(shared=Py_ssize_t, most=Py_ssize_t)
cpdef Py_ssize_t count_shared(tuple one, tuple other) except -1
