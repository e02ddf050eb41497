cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Doubles, Longs

cdef array _BOUNDS

@cython.locals(above=array, shared=array, held=Longs, both=Longs, k=Py_ssize_t, i=Py_ssize_t, best=double, mean=double, greatest=double)
cpdef double best_threshold(probabilities, words, double beta=*) except *

@cython.locals(chances=array, numbers=array, column=array, p=Doubles, bounds=Doubles, n=Longs, held=Longs,
    k=Py_ssize_t, low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
cdef array _words_above(probabilities, words)

@cython.locals(common=Longs, text=Longs, k=Py_ssize_t, n=Py_ssize_t, total=double)
cdef double _mean_f(array shared, double taken, array texts, double squared_beta) except *
