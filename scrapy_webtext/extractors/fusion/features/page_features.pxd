cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Doubles, Longs

@cython.locals(inside=Bytes, n=Py_ssize_t, k=Py_ssize_t, unlinked=Longs, prose=Longs, chars=Longs, ends=Longs, kind=Doubles, repeated=Doubles,
    of_p=Py_ssize_t, of_pre=Py_ssize_t, items=Py_ssize_t, cells=Py_ssize_t, short=Py_ssize_t, ended=Py_ssize_t, of_items=Py_ssize_t,
    items_prose=Py_ssize_t, main_unlinked=Py_ssize_t, main_chars=Py_ssize_t, main_prose=Py_ssize_t, main_blocks=Py_ssize_t,
    all_unlinked=double, all_chars=double, all_prose=double, blocks=double, total=double)
cdef dict _shares(table)

@cython.locals(n=Py_ssize_t, k=Py_ssize_t, i=Py_ssize_t, kinds=Doubles, tags=array, tag=Longs, of_tag=list, headings=Py_ssize_t,
    shown=Py_ssize_t, texts_of_blocks=list, short=list, text=str)
cdef dict _counts(page, table)

@cython.locals(is_one=Doubles, found=Py_ssize_t, k=Py_ssize_t)
cdef Py_ssize_t _sum_where(Longs values, array where)

@cython.locals(values=Doubles, found=double, k=Py_ssize_t)
cdef double _greatest(array column, double default)
