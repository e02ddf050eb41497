cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays

cdef int _UNIT, _PART, _PARAGRAPH, _PICTURE, _CONTROL, _PLAYER, _STRUCTURE

cpdef add_units(dict columns, page, texts, elements)
@cython.locals(most=double, all_prose=double, most_of_part=double, own=double, own_prose=double, least=Py_ssize_t)
cdef array _find_units(units, page, texts, elements, array kinds)
cdef array _paragraphs(page, texts, array kinds)
@cython.locals(least=Py_ssize_t)
cdef bytearray _holders(page, array kept_nodes, array numbers)
cdef _add_sizes(dict columns, units, page, texts, elements, array unit_nodes)
@cython.locals(text=list, is_link=double, total=double, links=double, least=double)
cdef _add_contents(dict columns, units, texts)
@cython.locals(i=Py_ssize_t, j=Py_ssize_t, is_own=bint)
cdef _add_elements(dict columns, page, elements, array unit_nodes, array kinds)
cdef _add_structures(dict columns, units, page, texts, elements, array kinds)
@cython.locals(total=double, weight=double)
cpdef list unit_means(units, words, probabilities)
@cython.locals(least=double, most=double, has_text=bint)
cpdef list units_between(units, means)
