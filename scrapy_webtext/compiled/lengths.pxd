cdef bint can_add_more(object measuring)

cdef int add_chars(
    long long* chars, object nodes, object measuring, Py_ssize_t first, Py_ssize_t end
) except -1
