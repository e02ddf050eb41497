from cpython.array cimport array

from scrapy_webtext.core cimport arrays

cdef tuple _repeated(page, elements)
cdef array _held(page, texts, elements, array nodes, array sums)
cdef _add_template_sums(dict columns, texts, elements)
cdef _add_parents(dict columns, page, texts, elements, array counts)
cdef _add_items(dict columns, page, texts, elements, array counts, array topmost)
cpdef double add_token_scores(dict columns, texts, elements, token_scores) except? -1
