"""What the twin of ``page/columns.py`` returns in place of ``page.nodes.Attributes``: the same rows.

Names are numbers, values lie one behind the other as UTF-8, copied from the tree. Strings are made
of those that somebody asks for, a few in a hundred.
"""

cimport cython
from collections.abc import Sequence

from cpython.array cimport array
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free
from libc.string cimport memcpy

from scrapy_webtext.compiled.characters cimport characters
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.memory cimport resized


@cython.final
cdef class Attributes:
    """The attributes of nodes; a row has the names and values of one node."""

    def __cinit__(self):
        self.names = []
        self.end_row()
        self.rows = 0

    def __dealloc__(self):
        free(self.name)
        free(self.begin)
        free(self.place)
        free(self.data)

    cdef int add(self, int name, const char* value, size_t size) except -1:
        """Add an attribute to the row that is not ended; ``name`` is a place in ``names``."""
        cdef size_t begin = self.begin[self.count] if self.count else 0, room
        if self.count + 1 >= self._room:
            self._make_room()
        if begin + size > self._data_room:
            room = 2 * (begin + size) + 4096
            self.data, self._data_room = <char*> resized(self.data, room), room
        self.name[self.count] = name
        self.begin[self.count] = begin
        memcpy(self.data + begin, value, size)
        self.count += 1
        self.begin[self.count] = begin + size
        return 0

    cdef int end_row(self) except -1:
        cdef Py_ssize_t room
        if self.rows + 2 > self._rows_room:
            room = 2 * self._rows_room + 1024
            self.place = <Py_ssize_t*> resized(self.place, room * sizeof(Py_ssize_t))
            self._rows_room = room
            self.place[0] = 0
        self.rows += 1
        self.place[self.rows] = self.count
        return 0

    cdef int _make_room(self) except -1:
        cdef Py_ssize_t room = 2 * self._room + 1024
        self.name = <int*> resized(self.name, room * sizeof(int))
        self.begin = <size_t*> resized(self.begin, room * sizeof(size_t))
        self._room = room
        return 0

    cdef bytearray kinds(self, Kinds kinds):
        """Return the bits of each of the names."""
        return kinds.of_all(self.names, self.numbers)

    cdef str value(self, Py_ssize_t k):
        """Return the value of the k-th attribute of all."""
        return PyUnicode_DecodeUTF8(
            self.data + self.begin[k], self.begin[k + 1] - self.begin[k], "surrogatepass"
        )

    cdef Py_ssize_t chars(self, Py_ssize_t k) noexcept:
        """Return the characters of the k-th value."""
        cdef const unsigned char* at = <const unsigned char*> self.data + self.begin[k]
        return characters(at, self.size(k))

    cdef bint is_ascii(self, Py_ssize_t first, Py_ssize_t end) noexcept:
        """Whether some values have no other characters."""
        cdef unsigned char seen = 0
        cdef size_t i
        if first < end:
            for i in range(self.begin[first], self.begin[end]):
                seen |= <unsigned char> self.data[i]
        return seen < 0x80

    def __len__(self):
        return self.rows

    def __getitem__(self, Py_ssize_t node):
        if not 0 <= node < self.rows:
            raise IndexError(node)
        cdef list row = []
        cdef Py_ssize_t k
        for k in range(self.place[node], self.place[node + 1]):
            row.append((self.names[self.name[k]], self.value(k)))
        return row

    def named(self, names not None, Py_ssize_t first=0, end=None):
        """Return node, name and value of the attributes with one of these names, in order."""
        cdef bytearray is_named = bytearray([name in names for name in self.names])
        cdef Py_ssize_t node, k, last = self.rows if end is None else min(<Py_ssize_t> end, self.rows)
        cdef list found = []
        if first < 0:
            raise IndexError(first)
        for node in range(first, last):
            for k in range(self.place[node], self.place[node + 1]):
                if is_named[self.name[k]]:
                    found.append((node, self.names[self.name[k]], self.value(k)))
        return found

    @property
    def flat(self):
        """Name, value, name, value, ... of all nodes."""
        cdef Py_ssize_t k
        if self._flat is None:
            self._flat = []
            for k in range(self.count):
                self._flat.append(self.names[self.name[k]])
                self._flat.append(self.value(k))
        return self._flat

    @property
    def first(self):
        """Where the attributes of a node begin in ``flat``; one longer than nodes."""
        cdef Py_ssize_t i
        if self._first is None:
            self._first = [2 * self.place[i] for i in range(self.rows + 1)]
        return self._first

    def __eq__(self, other):
        try:
            return self.flat == other.flat and self.first == other.first
        except AttributeError:
            return NotImplemented

    def __repr__(self):
        return f"Attributes(flat={self.flat!r}, first={self.first!r})"

    def __reduce__(self):
        from scrapy_webtext.page.nodes import Attributes as Rows

        return Rows, (self.flat, self.first)


Sequence.register(Attributes)


cdef Attributes stored(object table):
    """Return attributes as they are stored here, copied if they are not."""
    cdef Attributes made
    cdef list flat, first
    cdef dict places
    cdef Py_ssize_t i, k
    cdef bytes value
    if isinstance(table, Attributes):
        return <Attributes> table
    made, flat, first, places = Attributes(), table.flat, table.first, {}
    made.numbers = array("i")
    for i in range(len(first) - 1):
        for k in range(<Py_ssize_t> first[i], <Py_ssize_t> first[i + 1], 2):
            value = (<str> flat[k + 1]).encode("utf-8", "surrogatepass")
            if flat[k] not in places:
                places[flat[k]] = len(places)
                made.names.append(flat[k])
                made.numbers.append(-1)
            made.add(places[flat[k]], value, len(value))
        made.end_row()
    return made
