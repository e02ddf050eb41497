cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Doubles, Longs
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.page.nodes cimport Attributes, Nodes


@cython.final
cdef class Lengths:
    cdef readonly array end, first, last, text, valid, tags
    cdef readonly bytearray removed, excluded
    cdef public Py_ssize_t total

    @cython.locals(first=Longs, last=Longs, valid=Longs)
    cpdef Py_ssize_t valid_chars(self, Py_ssize_t node) except -1
    @cython.locals(first=Longs, last=Longs, end=Longs, text_before=Longs, tags_before=Longs, valid=Py_ssize_t, text=Py_ssize_t, length=Py_ssize_t)
    cpdef double p(self, Py_ssize_t node, Py_ssize_t more) except -1
    @cython.locals(end=Longs, total=double, node=Py_ssize_t, i=Py_ssize_t, n=Py_ssize_t, greatest=double, bound=double)
    cpdef Py_ssize_t steepest(self) except -2
    @cython.locals(end=Longs, chars=double, found=list, i=Py_ssize_t, n=Py_ssize_t)
    cpdef list rivals(self, double least, Py_ssize_t node, Py_ssize_t more)
    @cython.locals(column=array, found=Longs, own=Longs, gone=Bytes, i=Py_ssize_t)
    cpdef array sums(self, array chars)


@cython.locals(text=array, valid=array, text_before=Longs, valid_before=Longs, owner=Longs, own=Longs, out=Bytes, in_link=Bytes, k=Py_ssize_t,
    n=Py_ssize_t)
cdef tuple _text_sums(array owners, array chars, bytearray excluded, bytearray linked)

@cython.locals(column=array, known=array, sums=Longs, chars=Longs, name=Longs, gone=Bytes, i=Py_ssize_t)
cdef array _tag_sums(Nodes nodes, bytearray removed)

@cython.locals(column=array, chars=Longs, k=Py_ssize_t)
cdef array _chars(list texts)

@cython.locals(own=Longs, parent=Longs, text=Texts, tail=Texts, i=Py_ssize_t)
cpdef add_more(array chars, Nodes nodes, measuring, Py_ssize_t first, Py_ssize_t end)

@cython.locals(known=array, own=Longs, name_chars=Longs, begin=Longs, name=Longs, values=Texts, i=Py_ssize_t, k=Py_ssize_t)
cdef _add_attributes(array chars, Attributes attributes, Py_ssize_t quotes, Py_ssize_t first, Py_ssize_t end)

@cython.locals(chars=array, column=array, sums=array, more=Longs, end=Longs, p=Doubles, i=Py_ssize_t)
cpdef array _column(Nodes nodes, Lengths lengths, measuring)
