"""Twin of ``page/limits.py``: one character is counted in a loop that C compilers make wide."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

cdef enum:
    #: Characters whose number is sure to have room in a byte.
    AT_ONCE = 192


def count_angles(bytes body not None):
    cdef const unsigned char* at = <const unsigned char*> PyBytes_AS_STRING(body)
    cdef const unsigned char* end = at + PyBytes_GET_SIZE(body)
    cdef Py_ssize_t found = 0
    cdef unsigned char some
    cdef int k
    while end - at >= AT_ONCE:
        some = 0
        for k in range(AT_ONCE):
            some += at[k] == c"<"
        found += some
        at += AT_ONCE
    for k in range(end - at):
        found += at[k] == c"<"
    return found
