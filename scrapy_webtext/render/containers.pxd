cimport cython
from cpython.array cimport array


@cython.final
cdef class Containers:
    cdef list _tag
    cdef object _listings
    cdef array _parent
    cdef readonly dict role
    cdef dict _paths, _last_item

    @cython.locals(below=list, path=tuple, known=dict)
    cpdef tuple of(self, node)
    cpdef tuple complete(self, tuple path)
    cdef tuple _inside(self, tuple path, node, str role)
    cdef str _innermost(self, tuple path)
