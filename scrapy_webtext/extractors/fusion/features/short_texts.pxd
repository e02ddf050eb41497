cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.tokens cimport TokenTable

@cython.locals(table=TokenTable)
cpdef score_texts(list texts, token_scores)
cdef int _read(str text, TokenTable table) except -1
@cython.locals(reach=Py_ssize_t)
cpdef array around(array values)
