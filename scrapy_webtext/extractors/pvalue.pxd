cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Doubles, Longs
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.page.nodes cimport Attributes, Nodes


@cython.locals(text=array, valid=array, text_before=Longs, valid_before=Longs, owner=Longs, own=Longs, out=Bytes, in_link=Bytes, k=Py_ssize_t,
    n=Py_ssize_t)
cdef tuple _text_sums(array owners, array chars, bytearray excluded, bytearray linked)

@cython.locals(column=array, known=array, own=Longs, chars=Longs, name=Longs, parent=Longs, text=Texts, tail=Texts, gone=Bytes, i=Py_ssize_t)
cdef array _markup(Nodes nodes, bytearray removed, bint folds_space)

@cython.locals(column=array, known=array, own=Longs, name_chars=Longs, begin=Longs, name=Longs, values=Texts, gone=Bytes, i=Py_ssize_t,
    k=Py_ssize_t, chars=Py_ssize_t)
cdef array _with_attributes(array markup, Attributes attributes, bytearray removed, Py_ssize_t quotes)

@cython.locals(column=array, chars=Longs, k=Py_ssize_t)
cdef array _chars(list texts)

@cython.locals(column=array, p=Doubles, end=Longs, markup=Longs, first=Longs, last=Longs, text=Longs, valid=Longs, total=Py_ssize_t,
    node=Py_ssize_t, greatest=double, i=Py_ssize_t, l_vt=Py_ssize_t, l_t=Py_ssize_t, l_s=Py_ssize_t)
cdef tuple _p_column(array ends, array firsts, array lasts, array texts, array valids, array markups)

@cython.locals(column=array, count=Py_ssize_t, kept=Longs, owner=Longs, gone=Bytes, k=Py_ssize_t)
cdef array _kept(Py_ssize_t first, Py_ssize_t end, array owners, bytearray removed)
