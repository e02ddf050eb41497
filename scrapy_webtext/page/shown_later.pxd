cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Longs
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.page.nodes cimport Nodes

cdef int _PIECE

@cython.locals(texts=Texts, tails=Texts, end=Py_ssize_t, i=Py_ssize_t, chars=Py_ssize_t, found=Py_ssize_t)
cpdef Py_ssize_t sum_of_texts(Nodes nodes, Py_ssize_t node, Py_ssize_t least=*, Py_ssize_t most=*) except -1

@cython.locals(texts=Texts, tails=Texts, parent=Longs, unread=Bytes, pieces=list, left=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t,
    i=Py_ssize_t, up=Py_ssize_t, text=str)
cdef str _letters(Nodes nodes, bytearray mask, parts)

@cython.locals(texts=Texts, tails=Texts, parent=Longs, in_link=Bytes, unread=Bytes, plain=Py_ssize_t, every=Py_ssize_t, first=Py_ssize_t,
    end=Py_ssize_t, i=Py_ssize_t, up=Py_ssize_t, chars=Py_ssize_t)
cdef _weigh(Nodes nodes, bytearray linked, bytearray mask, parts)
