cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Doubles, Longs
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.page.nodes cimport Attributes, Nodes


@cython.final
cdef class Lengths:
    cdef readonly array end, first, last, text, valid, markup
    cdef readonly Py_ssize_t total

    @cython.locals(first=Longs, last=Longs, end=Longs, text_before=Longs, valid_before=Longs, markup_before=Longs, valid=Py_ssize_t, text=Py_ssize_t, length=Py_ssize_t)
    cpdef double p(self, Py_ssize_t node) except -1
    @cython.locals(node=Py_ssize_t, i=Py_ssize_t, greatest=double, p=double)
    cpdef Py_ssize_t best(self) except -2


@cython.locals(text=array, valid=array, text_before=Longs, valid_before=Longs, owner=Longs, own=Longs, out=Bytes, in_link=Bytes, k=Py_ssize_t,
    n=Py_ssize_t)
cdef tuple _text_sums(array owners, array chars, bytearray excluded, bytearray linked)

@cython.locals(column=array, known=array, own=Longs, chars=Longs, name=Longs, parent=Longs, text=Texts, tail=Texts, i=Py_ssize_t, n=Py_ssize_t)
cdef array _markup_sums(Nodes nodes, bytearray removed, bint folds_space)

@cython.locals(sums=array, own=Longs, before=Longs, gone=Bytes, i=Py_ssize_t)
cdef array _summed(array column, bytearray removed)

@cython.locals(column=array, known=array, own=Longs, name_chars=Longs, begin=Longs, name=Longs, values=Texts, i=Py_ssize_t, k=Py_ssize_t,
    chars=Py_ssize_t, summed=array, sums=Longs, without=Longs)
cdef array _with_attributes(array markup, Attributes attributes, bytearray removed, Py_ssize_t quotes)

@cython.locals(column=array, chars=Longs, k=Py_ssize_t)
cdef array _chars(list texts)

@cython.locals(column=array, p=Doubles, i=Py_ssize_t)
cpdef array _column(Lengths lengths)
