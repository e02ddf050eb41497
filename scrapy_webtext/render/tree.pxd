cimport cython


@cython.final
cdef class Node:
    cdef readonly str role
    cdef readonly Py_ssize_t key
    cdef readonly list children

@cython.locals(opened=list, node=Node, last=tuple, path=tuple, shared=Py_ssize_t)
cpdef Node tree_of(parts, role)
