from scrapy_webtext.render.containers cimport Containers

cdef _outline(page, list blocks, bint in_part=*)

cdef str _text(page, part, bint in_part, bint is_code)
