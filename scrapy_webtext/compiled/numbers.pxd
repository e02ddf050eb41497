cdef enum:
    KNOWN = 8_192

cdef list known


cdef inline object number(Py_ssize_t value):
    """Return what ``value`` is as an object."""
    return known[value] if 0 <= value < KNOWN else value


cdef inline Py_ssize_t number_of(dict numbers, str name) except -1:
    """Return the number of a name, from 0 on in the order in which they are asked for."""
    found = numbers.get(name)
    if found is None:
        found = len(numbers)
        numbers[name] = found
    return found
