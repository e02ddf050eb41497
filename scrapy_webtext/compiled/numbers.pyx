"""Numbers of nodes and runs as objects that are there: each column would make them anew."""

cdef list known = list(range(KNOWN))
