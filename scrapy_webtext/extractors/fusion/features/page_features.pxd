cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.extractors.fusion.features.tables cimport BlockTable

cdef dict _shares(BlockTable texts, dict columns, bytearray is_prose_main)
@cython.locals(texts=BlockTable, text=str, digits=Py_ssize_t, shown=Py_ssize_t)
cdef dict _counts(table)
@cython.locals(linked=double, least=Py_ssize_t, reach=Py_ssize_t)
cdef dict _links(page, BlockTable texts)
@cython.locals(likely_from=double, expected=list, variance=list, links=list, expected_words=double)
cpdef dict article_block_features(words, link_density, repeated_items, probabilities)
