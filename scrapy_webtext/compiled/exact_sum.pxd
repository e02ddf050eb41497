"""The sum of floats, rounded once, as ``math.fsum`` has it; compiled into each twin."""

from libc.math cimport fabs


cdef inline double exact_sum(const double* values, Py_ssize_t n, double* partials) noexcept:
    """Return the sum of finite values; ``partials`` has room for as many.

    Shewchuk's: partial sums that do not overlap hold the sum exactly, the smallest first. Not a
    finite number where a value is none, or where the sum is beyond what a double holds.
    """
    cdef Py_ssize_t k, j, kept, count = 0
    cdef double x, y, high, low = 0.0
    for k in range(n):
        x = values[k]
        kept = 0
        for j in range(count):
            y = partials[j]
            if fabs(x) < fabs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[kept] = low
                kept += 1
            x = high
        count = kept
        if x != 0.0:
            partials[count] = x
            count += 1
    return _rounded(partials, count)


cdef inline double _rounded(const double* partials, Py_ssize_t count) noexcept:
    """Return the sum of partial sums, half-way cases rounded to even."""
    cdef double x, y, high, low = 0.0
    if not count:
        return 0.0
    count -= 1
    high = partials[count]
    while count:
        count -= 1
        x, y = high, partials[count]
        high = x + y
        low = y - (high - x)
        if low != 0.0:
            break
    if count and ((low < 0.0 and partials[count - 1] < 0.0) or (low > 0.0 and partials[count - 1] > 0.0)):
        y = low * 2.0
        x = high + y
        if y == x - high:
            high = x
    return high
