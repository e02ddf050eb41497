cimport cython

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.distinct cimport DistinctTexts, TokenTable
from scrapy_webtext.extractors.fusion.features.tables cimport BlockTable

cpdef list term_weights(TokenTable terms, table, set declared)
cdef _add_weight(TokenTable terms, Py_ssize_t token, bytearray is_seen, list found)
@cython.locals(named=DistinctTexts, room=Py_ssize_t)
cpdef add_named(dict columns, page, BlockTable texts)
