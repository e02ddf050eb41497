cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays

@cython.locals(text=list, copies=dict)
cdef _add_text(dict columns, page, texts, elements)
cdef Py_ssize_t _wrapped(Py_ssize_t place, Py_ssize_t n) noexcept
cdef _add_ancestors(dict columns, page, texts, elements)
cdef _add_flag(dict columns, str name, texts, elements, int bit)
cdef _add_containers(dict columns, page, texts, p)
cdef _add_level(dict columns, page, texts, array p, array nodes)
cdef _add_neighbours(dict columns, texts)
cpdef bytearray add_distances(dict columns, page, texts, elements, p)
cdef Py_ssize_t _deepest(page, texts, elements, double share) except -2
cdef _add_node(dict columns, str name, page, texts, Py_ssize_t node)
cdef _add_distance(dict columns, str name, Py_ssize_t n, Py_ssize_t first, Py_ssize_t end)
cdef _add_plateau(dict columns, str name, array gains)
@cython.locals(text=list, nowhere=Py_ssize_t)
cpdef add_headings(dict columns, page, texts)
cdef _add_sections(dict columns, texts)


@cython.final
cdef class _Title:
    cdef bint is_unspaced
    cdef set words

    cdef double similarity(self, str text) except -1
