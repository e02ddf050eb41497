from scrapy_webtext.compiled.forest cimport Walker

#: A test of a tree. ``parted`` says where the leaves to which it leads begin, part and end, counted
#: from left to right: rows that pass it go on to the first of them, others to the rest.
cdef struct Test:
    double threshold
    unsigned short feature  # or where its values begin in a tile
    unsigned short tree
    unsigned char parted[3]

cdef class PageTrees:
    cdef readonly bytes is_constant  # per feature
    cdef Walker _walker
    cdef Py_ssize_t _width  # of the features that differ between rows
    # The tests of features that are the same for all rows, and all other tests, tree by tree.
    cdef Test* _of_constants
    cdef Test* _of_rows
    cdef Py_ssize_t _constants_end, _rows_end
    cdef double* _values  # of leaves from left to right, tree by tree
    # What the constants of a page leave: a mask of the leaves of each tree, its first test, and these tests.
    cdef long long* _left
    cdef int* _first
    cdef double* _threshold
    cdef long long* _bits
    cdef unsigned short* _at
    cdef list _held

    cdef list probabilities(self, list columns, Py_ssize_t n, const double* constants)
    cdef void _answer(self, const double* constants) noexcept nogil
    cdef void _score(
        self, double* tiles, int* numbers, Py_ssize_t n, double* sums, double* scores
    ) noexcept nogil
    cdef void _move(self, double* tiles, Py_ssize_t row, Py_ssize_t place) noexcept nogil
    cdef void _add_trees(self, int tree, int end, const double* tile, double* sums) noexcept nogil
