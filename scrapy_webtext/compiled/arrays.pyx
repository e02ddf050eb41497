"""Columns of integers and of doubles: arrays, which other code can index, and which hold no objects."""

from cpython.array cimport array

cdef array _INTEGERS = array("q")
cdef array _DOUBLES = array("d")


cdef array integers(Py_ssize_t n):
    """Return a column of ``n`` zeros."""
    return new_array(_INTEGERS, n, True)


cdef long long* new_integers(list columns, Py_ssize_t n) except? NULL:
    """Append a column of ``n`` zeros, and return where they lie."""
    cdef array made = integers(n)
    columns.append(made)
    return made.data.as_longlongs


cdef array as_integers(column):
    """Return a column as such an array, copied if it is none."""
    return as_array(_INTEGERS, column)


cdef double* new_doubles(list columns, Py_ssize_t n) except? NULL:
    """Append a column of ``n`` zeros, and return where they lie."""
    cdef array made = new_array(_DOUBLES, n, True)
    columns.append(made)
    return made.data.as_doubles


cdef array as_doubles(column):
    """Return a column as such an array, copied if it is none."""
    return as_array(_DOUBLES, column)


cdef double* column(dict columns, str name, Py_ssize_t n) except? NULL:
    """Set a new column of ``n`` numbers, not yet written, and return where they lie."""
    cdef array made = new_array(_DOUBLES, n, False)
    columns[name] = made
    return made.data.as_doubles


cdef array as_array(array kind, column):
    """Return a column as an array like another, copied if it is none."""
    if type(column) is array and (<array> column).typecode == kind.typecode:
        return <array> column
    return array(kind.typecode, column if type(column) is list else list(column))  # bytes are numbers, too
