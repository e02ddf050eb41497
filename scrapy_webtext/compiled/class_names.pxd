from scrapy_webtext.compiled.token_table cimport TokenTable

cdef enum:
    #: Tokens of one element: of twelve names, eight parts and the whole each.
    MAX_TOKENS = 108


cdef class Scorer:
    cdef TokenTable table
    cdef list _tokens

    cdef int find(self, const unsigned char* names, Py_ssize_t size, int* found) noexcept
    cdef int note(self, const int* tokens, int n, bytearray seen, list weights) except -1
    cdef list weights(self, class_names)


cdef class ScoredNames(list):
    cdef Scorer scorer
    cdef list weights
