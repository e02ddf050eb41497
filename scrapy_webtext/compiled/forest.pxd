cdef struct Step:
    double threshold
    int feature
    int child[2]  # where a feature is at most the threshold, and where it is not; ~leaf for leaves

cdef class Walker:
    cdef readonly int features
    cdef int _trees
    cdef bint _tells_exits
    cdef bytes _held_steps, _held_values, _held_starts, _held_exits
    cdef Step* _steps
    cdef double* _values
    cdef int* _starts
    cdef double* _exits

    cdef double walk(self, const double* row, bint* is_exit) noexcept nogil
