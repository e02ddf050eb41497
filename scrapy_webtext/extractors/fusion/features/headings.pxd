cimport cython

from scrapy_webtext.core cimport arrays

@cython.locals(text=list, nowhere=Py_ssize_t)
cpdef add_headings(dict columns, page, texts)
cdef _add_sections(dict columns, texts)


@cython.final
cdef class _Title:
    cdef bint is_unspaced
    cdef set words

    cdef double similarity(self, str text) except -1
