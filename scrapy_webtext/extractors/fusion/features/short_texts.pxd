cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Doubles, Longs
from scrapy_webtext.core.tokens cimport TokenTable

@cython.locals(table=TokenTable, n=Py_ssize_t, means=array, lows=array, mean=Doubles, low=Doubles, scores=Doubles, weights=Doubles, tokens=Longs,
    has_weight=Bytes, is_seen=bytearray, seen=Bytes, known=Py_ssize_t, article=double, k=Py_ssize_t, i=int, number=int, token=Py_ssize_t,
    total=double)
cpdef score_texts(list texts, token_scores)

@cython.locals(blanks=Py_ssize_t, n=int)
cdef int _read(str text, TokenTable table) except -1

@cython.locals(n=Py_ssize_t, reach=Py_ssize_t, means=array, sums=array, mean=Doubles, before=Doubles, value=Doubles, k=Py_ssize_t, a=Py_ssize_t,
    z=Py_ssize_t)
cpdef array around(array values)
