cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.distinct cimport TokenTable
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.extractors.fusion.features.measures cimport add_group, add_mean, add_range, range_of, totals_of_blocks, totals_of_nodes, window
from scrapy_webtext.extractors.fusion.features.tables cimport BlockTable, ElementTable

cpdef add_templates(dict columns, BlockTable texts, ElementTable elements)
cdef tuple _repeated(ElementTable elements)
cpdef array templates_of(ElementTable elements, array nodes)
cpdef double add_token_scores(dict columns, BlockTable texts, ElementTable elements, token_scores) except? -1
@cython.locals(table=TokenTable, text=str, chars=Py_ssize_t, words=Py_ssize_t, whole_words=Py_ssize_t, room=Py_ssize_t)
cpdef score_texts(list texts, Texts low, token_scores)
