cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays

@cython.locals(least=Py_ssize_t, most=double)
cdef array _prose_sums(page, bytearray hidden)
