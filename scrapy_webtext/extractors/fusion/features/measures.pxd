cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.extractors.fusion.features.tables cimport BlockTable, ElementTable

@cython.locals(most=double)
cpdef limit(dict columns)
cpdef double position(double before, double after, double most) noexcept
cpdef double share(double held, double whole, double most) noexcept
cpdef tuple window(Py_ssize_t n, Py_ssize_t before, Py_ssize_t after)
cpdef tuple range_of(ElementTable elements, array nodes)
@cython.locals(firsts=array, ends=array, measure=str, most=double)
cpdef add_range(dict columns, BlockTable texts, str name, tuple of_blocks)
@cython.locals(firsts=array, ends=array)
cpdef add_mean(dict columns, str feature, tuple of_blocks, array sums, array weights)
@cython.locals(most=Py_ssize_t, sums=array, counts=array)
cpdef array add_mean_of_groups(dict columns, str feature, array of_blocks, array weighted, array weights)
cpdef dict totals_of_blocks(BlockTable texts, array of_blocks, Py_ssize_t groups)
cpdef dict totals_of_nodes(BlockTable texts, ElementTable elements, array nodes, array counts)
@cython.locals(measure=str, most=double)
cpdef add_group(dict columns, BlockTable texts, str name, array of_blocks, dict totals)
