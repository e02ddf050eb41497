cimport cython

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Longs
from scrapy_webtext.core.tokens cimport TokenTable

@cython.locals(found=list, is_seen=bytearray, tokens=Longs, left=int, n=int, k=int)
cpdef list term_weights(TokenTable terms, table, set declared)

@cython.locals(has_weight=Bytes, seen=Bytes)
cdef _add_weight(TokenTable terms, int token, bytearray is_seen, list found)
