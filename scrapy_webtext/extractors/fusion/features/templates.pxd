cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.distinct cimport TokenTable
from scrapy_webtext.extractors.fusion.features.tables cimport BlockTable, ElementTable

cdef tuple _repeated(ElementTable elements)
cdef array _held(ElementTable elements, array nodes, array sums)
cdef _add_template_sums(dict columns, BlockTable texts, ElementTable elements)
cdef _add_parents(dict columns, BlockTable texts, ElementTable elements, array counts)
cdef _add_items(dict columns, BlockTable texts, ElementTable elements, array counts, array topmost)
cpdef double add_token_scores(dict columns, BlockTable texts, ElementTable elements, token_scores) except? -1
@cython.locals(table=TokenTable, text=str, chars=Py_ssize_t, words=Py_ssize_t, whole_words=Py_ssize_t, room=Py_ssize_t)
cpdef score_texts(list texts, token_scores)
@cython.locals(reach=Py_ssize_t)
cpdef array around(array values)
