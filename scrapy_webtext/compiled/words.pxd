cdef bint may_be_unspaced(str text)
cdef Py_ssize_t spaces_in(str text)
cdef Py_ssize_t words_in(str text, unspaced_chars) except -1
