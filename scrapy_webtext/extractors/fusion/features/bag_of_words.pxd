cimport cython

from scrapy_webtext.core.tokens cimport TokenTable

@cython.locals(found=list, is_seen=bytearray, left=int, n=int, k=int)
cpdef list term_weights(TokenTable terms, table, set declared)

cdef _add_weight(TokenTable terms, int token, bytearray is_seen, list found)
