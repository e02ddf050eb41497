cimport cython

from scrapy_webtext.render.tree cimport Node


@cython.final
cdef class _Writer:
    cdef object _page, _numbers
    cdef str _sign
    cdef readonly list pieces

    @cython.locals(text=str, spans=dict)
    cpdef write(self, Node node, Py_ssize_t level)
    cdef str _begin(self, Py_ssize_t level)
    @cython.locals(inside=dict, columns=list)
    cdef _write_row(self, Node row, str gap, dict spans)
