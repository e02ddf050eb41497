cimport cython

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Doubles, Longs
from scrapy_webtext.core.tokens cimport TokenTable


@cython.final
cdef class ClassNameScores:
    cdef TokenTable _table

    @cython.locals(n=int, k=int, tokens=Longs, scores=Doubles, low=double, high=double)
    cpdef tuple of(self, str class_names)
    @cython.locals(table=TokenTable, found=list, is_seen=bytearray, seen=Bytes, has_weight=Bytes, tokens=Longs, of_token=Doubles, names=str,
        k=int, token=Py_ssize_t)
    cpdef list weights(self, class_names)
