"""Twin of ``extractors/wffte/looks.py``: looks are numbered as they come, groups are rows of numbers."""

cimport cython

from scrapy_webtext.compiled.attributes cimport Attributes, stored
from scrapy_webtext.compiled.numbers cimport number_of
from scrapy_webtext.compiled.strings cimport is_blank

cdef enum:
    NONE = -1


cdef struct Look:
    Py_ssize_t own  # the number of its class, 0 where it has none
    Py_ssize_t others  # that of its other attributes
    Py_ssize_t group  # a row of its group, the first one in the end


cdef bint _is_alike(const Look* one, const Look* other) noexcept:
    """Whether two rows share a look, that of having none included."""
    if one.own == 0 and one.others == 0:
        return other.own == 0 and other.others == 0
    return (one.own > 0 and one.own == other.own) or (one.others > 0 and one.others == other.others)


@cython.final
cdef class Numbered:
    """The looks of elements as numbers, from 1 on."""

    cdef Attributes _table
    cdef dict _classes, _others
    cdef bytearray _is_read
    cdef Py_ssize_t _class

    def __cinit__(self, attributes, looks):
        self._table = stored(attributes)
        self._classes, self._others = {}, {}
        names = self._table.names
        self._class = names.index("class") if "class" in names else NONE
        self._is_read = bytearray([looks == "attributes" or name == "style" for name in names])

    cdef int read(self, Py_ssize_t node, Look* look) except -1:
        cdef Attributes table = self._table
        cdef Py_ssize_t k
        cdef int name
        cdef list parts = []
        cdef str value, own = ""
        for k in range(table.place[node], table.place[node + 1]):
            name = table.name[k]
            if name == self._class:
                value = table.value(k)
                own = _sorted(value) or own
            elif self._is_read[name]:
                value = _folded(table.value(k))
                if value:
                    parts.append(f"{<str> table.names[name]}={value}")
        if len(parts) > 1:
            parts.sort()
        look.own = _number(self._classes, own)
        look.others = _number(self._others, "\n".join(parts)) if parts else 0
        return 0


cdef Py_ssize_t _number(dict known, str look) except -1:
    return 1 + number_of(known, look) if look else 0


cdef bint _has_blank(str value):
    cdef Py_ssize_t k
    for k in range(len(value)):
        if is_blank(value[k]):
            return True
    return False


cdef str _folded(str value):
    return " ".join(value.split()) if _has_blank(value) else value


cdef str _sorted(str value):
    return " ".join(sorted(value.split())) if _has_blank(value) else value


cdef Py_ssize_t _first_of(Look* found, Py_ssize_t row) noexcept:
    while found[row].group != row:
        found[row].group = found[found[row].group].group
        row = found[row].group
    return row


cdef int _join(Look* found, Py_ssize_t one, Py_ssize_t other) noexcept:
    one, other = _first_of(found, one), _first_of(found, other)
    found[max(one, other)].group = min(one, other)
    return 0


cdef int _join_known(
    Look* found, dict known, Py_ssize_t parent, Py_ssize_t look, Py_ssize_t rows, Py_ssize_t row
) except -1:
    """Join a row with the first in its parent that has this look."""
    key = parent * (rows + 1) + look
    other = known.get(key)
    if other is None:
        known[key] = row
    else:
        _join(found, other, row)
    return 0


def groups_of_one_look(nodes, containers, rows, looks="attributes", merging="siblings"):
    cdef list node = containers.node, parent = containers.parent, given = rows
    cdef Py_ssize_t n = len(node), i, row, up
    cdef bytearray room = bytearray(n * sizeof(Look))
    cdef Look* found = <Look*> <char*> room
    cdef Numbered numbered = Numbered(nodes.attributes, looks)
    cdef dict by_class = {}, by_others = {}
    cdef bint by_distance = merging == "distance"
    for i in range(n):
        found[i].own = found[i].others = found[i].group = NONE
    for i in range(len(given)):
        row = given[i]
        if not 0 <= row < n:
            raise IndexError(row)
        numbered.read(node[row], &found[row])
    for i in range(len(given)):
        row = given[i]
        found[row].group = row
        up = parent[row]
        if found[row].own or not found[row].others:
            _join_known(found, by_class, up, found[row].own, n, row)
        if found[row].others:
            _join_known(found, by_others, up, found[row].others, n, row)
        if by_distance and up > 0:
            up = parent[up]
            if found[up].group != NONE and _is_alike(&found[row], &found[up]):
                _join(found, up, row)
    return _groups(found, given, n)


cdef list _groups(Look* found, list rows, Py_ssize_t n):
    """Return the rows by group; a group's first row is known when the others come."""
    cdef list groups = [], places = [None] * n
    cdef Py_ssize_t i, row, first
    for i in range(len(rows)):
        row = rows[i]
        first = _first_of(found, row)
        if first == row:
            places[row] = [rows[i]]
            groups.append(places[row])
        else:
            (<list> places[first]).append(rows[i])
    return groups
