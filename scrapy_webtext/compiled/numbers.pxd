cdef object number(Py_ssize_t value)


cdef inline Py_ssize_t number_at(list column, object place):
    """Return the number at a place that is itself a number in a list."""
    return column[<Py_ssize_t> place]
