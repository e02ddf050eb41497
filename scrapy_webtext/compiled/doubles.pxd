from cpython.array cimport array

from scrapy_webtext.compiled.integers cimport WEBTEXT_CHECKED

cdef double* new_doubles(list columns, Py_ssize_t n) except? NULL
cdef array as_doubles(column)
cdef double* column(dict columns, str name, Py_ssize_t n) except? NULL


cdef inline double double_at(array column, Py_ssize_t k) except? -1:
    """Return the k-th value; where it lies is checked in the build for tests alone."""
    if WEBTEXT_CHECKED and not 0 <= k < len(column):
        raise IndexError(k)
    return column.data.as_doubles[k]
