"""What the twin of ``page/columns.py`` returns in place of ``page.nodes.Nodes``: the same columns.

Tags are numbers, and all numbers lie in arrays, of which others are given copies. Most questions
about tags are asked of a page's names, of which there are some forty.
"""

cimport cython
from cpython.array cimport array
from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdlib cimport free
from libc.string cimport memset

from scrapy_webtext.compiled.attributes cimport Attributes, stored
from scrapy_webtext.compiled.arrays cimport integers, untracked
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.memory cimport resized
from scrapy_webtext.compiled.numbers cimport number, number_of
from scrapy_webtext.compiled.text_column cimport TextColumn, stored_texts

cdef enum:
    SETS = 64

#: Sets of names -> their bits; the sets are constants, by and large.
cdef dict _known = {}


cdef Kinds _kinds(names):
    cdef Kinds found = _known.get(names)
    if found is None:
        if len(_known) >= SETS:
            _known.clear()
        found = Kinds(names)
        _known[names] = found
    return found


@cython.final
cdef class Nodes:
    """The elements of a page."""

    def __cinit__(self):
        self.names, self.attributes = [], Attributes()
        self.text, self.tail = TextColumn(), TextColumn()

    def __dealloc__(self):
        free(self.name)
        free(self.up)
        free(self.last)

    cdef int add(self, int name, int parent) except -1:
        """Add a node without children; ``name`` is a place in ``names``."""
        cdef Py_ssize_t room
        if self.count == self._room:
            room = 2 * self._room + 1024
            self.name = <int*> resized(self.name, room * sizeof(int))
            self.up = <int*> resized(self.up, room * sizeof(int))
            self.last = <int*> resized(self.last, room * sizeof(int))
            self._room = room
        self.name[self.count], self.up[self.count] = name, parent
        self.count += 1
        self.last[self.count - 1] = <int> self.count
        return 0

    cdef bytearray kinds(self, Kinds kinds):
        """Return the bits of each of the names."""
        return kinds.of_all(self.names, self.numbers)

    cdef int check(self, bytearray mask) except -1:
        """Make sure that a mask is one of these nodes."""
        if len(mask) != self.count:
            raise ValueError(f"the mask has {len(mask)} values, not {self.count}")
        return 0

    cdef bytearray cover(self, bytearray mask, tops):
        """Return a mask that was checked, with 1 for these nodes and all below them."""
        cdef Py_ssize_t i
        for i in tops:
            if not 0 <= i < self.count:
                raise IndexError(i)
            memset(PyByteArray_AS_STRING(mask) + i, 1, self.last[i] - i)
        return mask

    cdef array _column(self, const int* column):
        cdef array made = integers(self.count)
        cdef Py_ssize_t i
        for i in range(self.count):
            made.data.as_longlongs[i] = column[i]
        return made

    @property
    def tag(self):
        """The name of each node."""
        cdef Py_ssize_t i
        if self._tag is None:
            self._tag = untracked([self.names[self.name[i]] for i in range(self.count)])
        return self._tag

    @property
    def parent(self):
        """The parent of each node."""
        if self._parent is None:
            self._parent = self._column(self.up)
        return self._parent

    @property
    def end(self):
        """Where the subtree of each node ends."""
        if self._end is None:
            self._end = self._column(self.last)
        return self._end

    def nearest(self, names):
        """Return per node itself or its nearest ancestor with one of these tags."""
        cdef bytearray is_one = self.kinds(_kinds(names))
        cdef array made = integers(self.count)
        cdef long long* column = made.data.as_longlongs
        cdef Py_ssize_t i, up
        for i in range(self.count):
            up = self.up[i]
            column[i] = i if up < 0 or is_one[self.name[i]] else column[up]
        return made

    def tagged(self, names):
        """Return the nodes with one of these tags, ascending."""
        cdef bytearray is_one = self.kinds(_kinds(names))
        cdef list found = []
        cdef Py_ssize_t i
        if 1 in is_one:
            for i in range(self.count):
                if is_one[self.name[i]]:
                    found.append(number(i))
        return found

    def tops(self, names, among=None):
        """Return the nodes with one of these tags that are inside no other such node."""
        cdef bytearray is_one = self.kinds(_kinds(names))
        cdef list found = []
        cdef Py_ssize_t i = 0, outside = 0
        if 1 not in is_one:
            return found
        if among is None:
            while i < self.count:
                if is_one[self.name[i]]:
                    found.append(number(i))
                    i = self.last[i]
                else:
                    i += 1
            return found
        for i in among:
            if not 0 <= i < self.count:
                raise IndexError(i)
            if i >= outside and is_one[self.name[i]]:
                found.append(i)
                outside = self.last[i]
        return found

    def inside(self, names):
        """Return a mask: 1 for the nodes with one of these tags and all below them."""
        return self.below(self.tops(names))

    def below(self, tops):
        """Return a mask: 1 for these nodes and all below them."""
        return self.cover(bytearray(self.count), tops)

    def __len__(self):
        return self.count

    def __eq__(self, other):
        try:
            return _columns(self) == _columns(other)
        except AttributeError:
            return NotImplemented

    def __repr__(self):
        return f"Nodes({', '.join(map(repr, _columns(self)))})"

    def __reduce__(self):
        from scrapy_webtext.page.nodes import Nodes as Lists, restored

        return restored, (Lists(*_columns(self)),)


cdef tuple _columns(nodes):
    return nodes.tag, list(nodes.parent), list(nodes.end), nodes.attributes, nodes.text, nodes.tail


def compact(nodes):
    return stored_nodes(nodes)


cdef Nodes stored_nodes(object nodes):
    """Return nodes as they are stored here, copied if they are not."""
    cdef Nodes made
    cdef dict places = {}
    if isinstance(nodes, Nodes):
        return <Nodes> nodes
    made = Nodes()
    for tag, parent, end in zip(nodes.tag, nodes.parent, nodes.end, strict=True):
        made.add(number_of(places, tag), parent)
        made.last[made.count - 1] = end
    made.names, made.numbers = list(places), array("i", [-1] * len(places))
    made.attributes = stored(nodes.attributes)
    made.text, made.tail = stored_texts(nodes.text), stored_texts(nodes.tail)
    _check(made)
    return made


cdef int _check(Nodes nodes) except -1:
    """Make sure that places found in these columns are places of nodes."""
    cdef Py_ssize_t n = nodes.count, i, around
    if not n == nodes.text.count == nodes.tail.count == nodes.attributes.rows:
        raise ValueError("columns of nodes differ in length")
    for i in range(n):
        around = i - 1
        while around >= 0 and nodes.last[around] <= i:
            around = nodes.up[around]
        if nodes.up[i] != around or not i < nodes.last[i] <= (
            nodes.last[around] if around >= 0 else n
        ):
            raise ValueError(f"node {i} does not lie where its parent says")
    return 0
