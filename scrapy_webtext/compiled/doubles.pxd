from cpython.array cimport array

from scrapy_webtext.compiled.arrays cimport check_place

cdef double* new_doubles(list columns, Py_ssize_t n) except? NULL
cdef array as_doubles(column)
cdef double* column(dict columns, str name, Py_ssize_t n) except? NULL


cdef inline double double_at(array column, Py_ssize_t k) except? -1:
    """Return the k-th value; where it lies is checked in the build for tests alone."""
    check_place(column, k)
    return column.data.as_doubles[k]
