cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Longs

@cython.locals(column=array, sums=Longs, node=Longs, unread=Bytes, chars=Longs, links=Longs, least=Py_ssize_t, most=double, k=Py_ssize_t,
    n=Py_ssize_t, is_prose=bint)
cdef array _prose_sums(page, bytearray hidden)
