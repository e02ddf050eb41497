cimport cython
from cpython.array cimport array
from libc cimport math

from scrapy_webtext.core cimport arrays
from scrapy_webtext.extractors.fusion.features.measures cimport add_mean, add_mean_of_groups, position, window
from scrapy_webtext.extractors.fusion.features.tables cimport BlockTable, ElementTable
from scrapy_webtext.extractors.fusion.features.templates cimport templates_of

@cython.locals(texts=BlockTable, elements=ElementTable)
cpdef groups(table)
@cython.locals(least=double, most=double)
cpdef dict context_columns(blocks, first)
@cython.locals(likely_from=double, sure_from=double)
cpdef dict context_constants(blocks, first)
@cython.locals(most_words=double)
cdef _add_means(dict columns, str kind, of_kind, array weighted, array weights)
cdef _add_units(dict columns, units, array chances, array weight_sums, array weighted_sums)
cdef array _BOUNDS

cpdef double best_threshold(probabilities, words, double beta=*) except *
cdef array _words_above(probabilities, words)
cdef double _mean_f(array shared, double taken, array texts, double squared_beta) except *
