cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Longs
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.page.nodes cimport Nodes

@cython.locals(texts=Texts, tails=Texts, parent=Longs, gone=Bytes, shown=Py_ssize_t, enough=Py_ssize_t, times=Py_ssize_t, i=Py_ssize_t, up=Py_ssize_t)
cdef _few_shown(Nodes nodes, bytearray mask, Py_ssize_t sentences)

@cython.locals(texts=Texts, tails=Texts, end=Py_ssize_t, after=Py_ssize_t, i=Py_ssize_t)
cdef bint _has_words_outside(Nodes nodes, Py_ssize_t heading, Py_ssize_t link) except -1
