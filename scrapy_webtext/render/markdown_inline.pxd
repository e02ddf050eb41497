cimport cython

from scrapy_webtext.render.inline cimport Token


@cython.locals(steps=list, code=Token, token=Token, after_code=list, texts=list)
cdef list _merge_tokens(tokens)

@cython.locals(step=Token)
cdef str _find_adjacent(list steps, Py_ssize_t k, edge)
