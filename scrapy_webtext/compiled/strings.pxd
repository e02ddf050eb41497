"""Questions about texts that many twins ask; compiled into each."""

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)


cdef inline bint is_space(str text):
    """Whether a text has white space alone, or nothing."""
    cdef Py_ssize_t k
    for k in range(len(text)):
        if not text[k].isspace():
            return False
    return True
