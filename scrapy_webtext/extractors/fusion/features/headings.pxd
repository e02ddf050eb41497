cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Doubles, Longs

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, kinds=array, node=Longs, level_of=Longs, prose=Longs, since=Doubles, heading_level=Doubles,
    similarity=Doubles, from_headline=Doubles, prose_from=Doubles, title=_Title, text=list, chars=Longs, link_density=Doubles, current=Py_ssize_t,
    last=Py_ssize_t, headline=Py_ssize_t, level=Py_ssize_t, top=double, rank=double, nowhere=Py_ssize_t)
cpdef add_headings(dict columns, page, texts)

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, since=Doubles, unlinked_chars=Longs, chars=Longs, unlinked=Doubles, blocks=Doubles,
    link_density=Doubles, begin=Py_ssize_t, end=Py_ssize_t, held=Py_ssize_t, share=double)
cdef _add_sections(dict columns, texts)


@cython.final
cdef class _Title:
    cdef bint is_unspaced
    cdef set words

    @cython.locals(low=str, found=list, words=set, shared=Py_ssize_t)
    cdef double similarity(self, str text) except -1
