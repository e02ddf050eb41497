cdef struct Step:
    double threshold
    int feature
    int child[2]  # where a feature is at most the threshold, and where it is not

cdef class Walker:
    cdef readonly int features
    cdef int _trees
    # The first steps lead to themselves: the k-th stands for the k-th leaf of any tree. Their
    # number is a power of two.
    cdef int _loops, _end
    cdef bint _tells_exits
    cdef bytes _held_steps, _held_values, _held_starts, _held_first, _held_exits
    cdef Step* _steps
    cdef double* _values
    cdef int* _starts
    cdef int* _first
    cdef double* _exits

    cdef double walk(self, const double* row, bint* is_exit) noexcept nogil
    cdef int score_all(
        self, const double* rows, Py_ssize_t n, const double* constants, const char* is_constant, double* scores
    ) noexcept nogil
    cdef void _prune(
        self, Step* steps, int* resolved, int* starts, const double* constants, const char* is_constant
    ) noexcept nogil
    cdef void _add_trees(
        self, const Step* steps, const int* starts, int tree, int end,
        const double* rows, const int* left, Py_ssize_t n, double* scores
    ) noexcept nogil
