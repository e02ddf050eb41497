cimport cython

from scrapy_webtext.render.tree cimport Container, Containers

@cython.locals(containers=Containers, container=Container, own_texts=list, parts=list, has_code=bint, is_code=bint, is_whole=bint)
cdef tuple _make_parts(page, list blocks)
