from cpython.array cimport array

from scrapy_webtext.core cimport arrays

cdef array _BOUNDS

cpdef double best_threshold(probabilities, words, double beta=*) except *
cdef array _words_above(probabilities, words)
cdef double _mean_f(array shared, double taken, array texts, double squared_beta) except *
