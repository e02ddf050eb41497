from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.distinct cimport TokenTable

cpdef list term_weights(TokenTable terms, table, set declared)
cdef _add_weight(TokenTable terms, Py_ssize_t token, bytearray is_seen, list found)
