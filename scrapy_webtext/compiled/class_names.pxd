from scrapy_webtext.compiled.token_table cimport TokenTable

cdef enum:
    #: Tokens of one element: of twelve names, eight parts and the whole each.
    MAX_TOKENS = 108


cdef class Scorer:
    cdef TokenTable _table
    cdef list _tokens

    cdef int find(self, const unsigned char* names, Py_ssize_t size, int* found) noexcept
    cdef list weights(self, class_names)

    cdef inline void score(self, const unsigned char* names, Py_ssize_t size, double* low, double* high) noexcept:
        """Write the lowest and the highest score of some class names."""
        cdef int found[MAX_TOKENS]
        cdef int k
        cdef double one
        low[0] = high[0] = 0.0
        for k in range(self.find(names, size, found)):
            one = self._table.tokens[found[k]].content
            if one < low[0]:
                low[0] = one
            elif one > high[0]:
                high[0] = one
