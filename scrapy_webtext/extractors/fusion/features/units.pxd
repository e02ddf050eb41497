cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.extractors.fusion.features.measures cimport add_range, share
from scrapy_webtext.extractors.fusion.features.tables cimport BlockTable, ElementTable

cdef int _UNIT, _PART, _PARAGRAPH, _PICTURE, _LINK, _STRUCTURE

cpdef add_units(dict columns, page, BlockTable texts, ElementTable elements)
@cython.locals(most=double, most_of_part=double, all_prose=double, all_unlinked=double, page_chars=double, own=double, own_prose=double, least=Py_ssize_t)
cdef array _find_units(units, BlockTable texts, ElementTable elements, array kinds)
cdef array _paragraphs(BlockTable texts, ElementTable elements, array kinds)
@cython.locals(least=Py_ssize_t)
cdef bytearray _holders(ElementTable elements, array numbers)
@cython.locals(most=double)
cdef _add_sizes(dict columns, units, BlockTable texts, ElementTable elements, array unit_nodes)
@cython.locals(is_link=double)
cdef _add_contents(dict columns, units, BlockTable texts)
cdef _add_elements(dict columns, page, BlockTable texts, ElementTable elements, array unit_nodes, array kinds)
@cython.locals(reach=Py_ssize_t, link=Py_ssize_t, is_one=bint)
cdef _add_pictures_near(dict columns, page, BlockTable texts, array kinds)
cdef _add_number(dict columns, str name, array kinds, int flag, array ends, array unit_nodes)
cdef _add_structures(dict columns, units, BlockTable texts, ElementTable elements, array kinds)
cpdef list unit_means(units, words, probabilities)
