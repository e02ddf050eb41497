cdef double* column(dict columns, str name, Py_ssize_t n) except? NULL
