cdef struct Step:
    double threshold
    unsigned short at  # where the value of its feature lies in a row
    unsigned short child[2]  # where a feature is at most the threshold, and where it is not

cdef class Walker:
    cdef readonly int features
    # The first steps lead to themselves: the k-th stands for the k-th leaf of any tree. Their
    # number is a power of two. Then one step per tree that leads to where the tree begins.
    cdef int trees, loops, end
    cdef Step* steps
    cdef double* values  # of leaves, tree by tree
    cdef int* first  # per tree, the value of its first leaf
    cdef double* exits
    cdef object page_trees  # those of the last page, while no page uses them
    cdef bint _tells_exits
    cdef bytes _held_steps, _held_values, _held_first, _held_exits

    cdef double walk(self, const double* row, bint* is_exit) noexcept nogil
    cdef int next_exit(self, int tree) noexcept nogil

cpdef double logistic(double score)

#: After each tree: whether there is an exit, below, above, what is added below and above.
cdef enum:
    EXIT_FIELDS = 5
