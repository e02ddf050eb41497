cdef object number(Py_ssize_t value)
