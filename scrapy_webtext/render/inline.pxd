cimport cython
from cpython.array cimport array


@cython.final
cdef class Token:
    cdef public str kind, text, raw, mark
    cdef public bint is_start, is_open
    cdef public object image


@cython.final
cdef class InlineReader:
    cdef object _outline, _nodes, _runs, _addresses
    cdef array _styled
    cdef dict _known, _links
    cdef bint _has_formulas

    @cython.locals(pieces=list, opened=list, tokens=list, number=Py_ssize_t)
    cpdef list tokens(self, part, without=*)
    @cython.locals(pieces=list, k=Py_ssize_t, token=Token)
    cdef list _pieces(self, part, without)
    @cython.locals(kept=Py_ssize_t, tokens=list, begun=list)
    cdef list _switch_styles(self, list opened, last, style, str separator, ahead)
    cdef _around(self, image, without=*)
    @cython.locals(below=list, styled=Py_ssize_t, i=Py_ssize_t)
    cdef _style(self, Py_ssize_t node, without=*)
    cdef _inside(self, around, Py_ssize_t node)


cdef Token _separate(str separator)

@cython.locals(kept=Py_ssize_t)
cdef Py_ssize_t _count_kept(list opened, wanted) except -1
