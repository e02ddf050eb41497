cdef struct Step:
    double threshold
    unsigned short at  # where the value of its feature lies in a row
    # Where a feature is at most the threshold, and where it is not: a step of the tree, or ~leaf.
    short child[2]

#: Where the steps and values of a tree lie. It begins at step 0, or at ~0 where it is one leaf.
cdef struct TreePlace:
    int step, value, begin

cdef class Walker:
    cdef readonly int features
    cdef int trees
    cdef Step* steps
    cdef double* values  # of leaves, tree by tree
    cdef TreePlace* places
    cdef double* exits
    cdef bint has_leaf_bits  # whether blocks can be scored by `page_trees`
    cdef object page_trees  # those of the last page, while no page uses them
    cdef bint _tells_exits
    cdef list _held

    cdef double walk(self, const double* row, bint* is_exit) noexcept nogil
    cdef int next_exit(self, int tree) noexcept nogil

cpdef double logistic(double score)

#: After each tree: whether there is an exit, below, above, what is added below and above.
cdef enum:
    EXIT_FIELDS = 5
