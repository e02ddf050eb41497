cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Longs


@cython.final
cdef class Containers:
    cdef list _roles, _paths
    cdef object _nodes, _listings
    cdef array _parent, _name
    cdef readonly dict role
    cdef dict _last_item

    @cython.locals(below=list, path=tuple, known=list, parent=Longs, name=Longs, i=Py_ssize_t, role=str)
    cpdef tuple of(self, Py_ssize_t node)
    cpdef tuple complete(self, tuple path)
    cdef tuple _inside(self, tuple path, Py_ssize_t node, str role)
    cdef str _innermost(self, tuple path)
