from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.page.nodes cimport Attributes, Nodes

cdef tuple _text_sums(array owners, array chars, bytearray excluded, bytearray linked)
cdef array _markup(Nodes nodes, bytearray removed, bint folds_space)
cdef array _with_attributes(array markup, Attributes attributes, bytearray removed, Py_ssize_t quotes)
cdef tuple _p_column(array ends, array firsts, array lasts, array texts, array valids, array markups)
