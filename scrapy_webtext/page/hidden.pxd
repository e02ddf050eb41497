cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Longs
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.page.nodes cimport Attributes, Nodes

cdef int _HIDDEN, _POPOVER, _ARIA, _STYLE, _OPEN, _ROLE, _MODAL, _FADED, _DIALOG_OPEN, _BEFORE, _AFTER

@cython.locals(texts=Texts, tails=Texts, parent=Longs, gone=Bytes, shown=Py_ssize_t, enough=Py_ssize_t, times=Py_ssize_t, i=Py_ssize_t, up=Py_ssize_t)
cpdef few_shown(Nodes nodes, bytearray mask, Py_ssize_t sentences)

@cython.locals(texts=Texts, tails=Texts, end=Longs, after=Py_ssize_t, i=Py_ssize_t, found=int)
cdef int _words_beside(Nodes nodes, Py_ssize_t heading, Py_ssize_t link) except -1

@cython.locals(attributes=Attributes, values=Texts, kinds=array, dialogs=array, kind=Longs, is_dialog=Longs, first=Longs, gone=Bytes,
    found=list, value=str, some=list, node=Py_ssize_t, k=Py_ssize_t, bits=int, by_style=int, is_closed=bint, how=int)
cpdef list find_hidden_elements(Nodes nodes, bytearray mask)

@cython.locals(texts=Texts, tails=Texts, node_end=Longs, found=list, text=Py_ssize_t, tail=Py_ssize_t, node=Py_ssize_t, end=Py_ssize_t)
cdef list _with_words(Nodes nodes, list some)

cdef Py_ssize_t _next_words(Texts texts, Py_ssize_t k, Py_ssize_t end) except -1
