from scrapy_webtext.compiled.forest cimport Step, Walker

#: Rows that go down a tree together.
cdef enum:
    LANES = 8

cdef struct Link:
    unsigned short step, parent, side

cdef class PageTrees:
    cdef readonly bytes is_constant  # per feature
    cdef Walker _walker
    cdef Py_ssize_t _width  # of the features that differ between rows
    cdef Py_ssize_t _links_end
    cdef Step* _steps
    cdef Link* _links
    cdef bytes _held_steps, _held_links

    cdef list probabilities(self, list columns, Py_ssize_t n, const double* constants)
    cdef void _answer(self, const double* constants) noexcept nogil
    cdef void _score(
        self, double* tiles, int* numbers, Py_ssize_t n, double* sums, double* scores
    ) noexcept nogil
    cdef void _move(self, double* tiles, Py_ssize_t row, Py_ssize_t place) noexcept nogil
    cdef void _add_trees(self, int tree, int end, const double* tile, double* sums) noexcept nogil
