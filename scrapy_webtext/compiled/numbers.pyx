"""Numbers of nodes and runs as objects that are there: each column would make them anew."""

cdef enum:
    KNOWN = 8_192

cdef list _known = list(range(KNOWN))


cdef object number(Py_ssize_t value):
    """Return what ``value`` is as an object."""
    return _known[value] if 0 <= value < KNOWN else value
