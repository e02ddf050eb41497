"""Twin of ``page/render/containers.py``: paths as tuples that nodes share, roles as numbers."""

cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING

from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.numbers cimport number

cdef enum:
    ROLES = 32
    NONE = 0  #: the role of what is no container

#: Tag -> number of its role; numbers of roles begin at 1, their bits are 1 << number.
cdef dict _number_of_tag = None
cdef list _names = []
#: Per role the bits of what may stand in it (0 where anything may) and around it, and what ends it.
cdef unsigned int _children[ROLES]
cdef unsigned int _parents[ROLES]
cdef unsigned int _ended_by[ROLES]
cdef int _list, _item
cdef unsigned int _closed
cdef Py_ssize_t _max_read


cdef int _prepare() except -1:
    """Take the roles and what holds what from the Python module, the one place where they stand."""
    global _number_of_tag, _list, _item, _closed, _max_read
    from scrapy_webtext.page.render import containers as module

    cdef unsigned int everything = 0xFFFFFFFF
    cdef int k
    _names[:] = ["", *dict.fromkeys(module.ROLES.values())]
    if len(_names) > ROLES:
        raise ValueError("more roles than bits")
    numbers = {name: k for k, name in enumerate(_names)}
    for k, name in enumerate(_names):
        _children[k] = _bits(numbers, module._CHILDREN.get(name, ()))
        _parents[k] = _bits(numbers, module._PARENTS[name]) if name in module._PARENTS else everything
        _ended_by[k] = _bits(numbers, module._SIBLINGS.get(name, ()))
    _list, _item = numbers[module.LIST], numbers[module.ITEM]
    _closed = _bits(numbers, (module.HEADING, module.CODE))
    _max_read = module.MAX_READ
    _number_of_tag = {tag: numbers[name] for tag, name in module.ROLES.items()}
    return 0


cdef unsigned int _bits(dict numbers, names) except? 0xFFFFFFFF:
    cdef unsigned int bits = 0
    for name in names:
        bits |= <unsigned int> 1 << <int> numbers[name]
    return bits


def read_containers(nodes, asked):
    if _number_of_tag is None:
        _prepare()
    cdef Reading reading = Reading(nodes)
    return [reading.complete(reading.of(i)) for i in asked], reading.role


@cython.final
cdef class Reading:
    cdef Nodes nodes
    cdef list known, number_of_name
    cdef dict role, last_item
    cdef bytearray held, below_held
    cdef unsigned char* kind
    cdef int* below

    def __cinit__(self, nodes):
        cdef Py_ssize_t n
        self.nodes = stored_nodes(nodes)
        n = self.nodes.count
        self.number_of_name = [_number_of_tag.get(name) for name in self.nodes.names]
        self.role, self.last_item = {}, {}
        self.known = [None] * n
        self.held, self.below_held = bytearray(n), bytearray(n * sizeof(int))
        self.kind = <unsigned char*> PyByteArray_AS_STRING(self.held)
        self.below = <int*> PyByteArray_AS_STRING(self.below_held)

    cdef tuple of(self, Py_ssize_t node):
        """Return the containers of a node, itself among them."""
        cdef Py_ssize_t depth = 0, n = len(self.known)
        cdef tuple path = ()
        if node >= n:
            raise IndexError(node)
        while node >= 0:
            found = self.known[node]
            if found is not None:
                path = <tuple> found
                break
            self.below[depth] = <int> node
            depth += 1
            node = self.nodes.up[node]
        while depth:
            depth -= 1
            node = self.below[depth]
            found = self.number_of_name[self.nodes.name[node]]
            if found is not None and len(path) < _max_read:
                path = self._inside(path, node, <int> found)
            self.known[node] = path
        return path

    cdef tuple complete(self, tuple path):
        """Return the path without what it ends with that holds no text of its own."""
        while _children[self._innermost(path)]:
            path = path[: len(path) - 1]
        return path

    cdef tuple _inside(self, tuple path, Py_ssize_t node, int role):
        """Return the path that goes on with a node."""
        cdef int above = self._innermost(path)
        cdef unsigned int bit = <unsigned int> 1 << role
        if <unsigned int> 1 << above & _closed:
            return path
        if bit & _ended_by[above]:
            path = path[: len(path) - 1]
            above = self._innermost(path)
        if above == _list and role == _list:
            item = self.last_item.get(path[len(path) - 1])
            path = path[: len(path) - 1] if item is None else path + (item,)
            above = self._innermost(path)
        if not <unsigned int> 1 << above & _parents[role]:
            return path
        while _children[above] and not bit & _children[above]:
            path = path[: len(path) - 1]
            above = self._innermost(path)
        here = number(node)
        if role == _item:
            if above != _list:
                unwritten = -2 - self.nodes.up[node]
                self.role[unwritten] = _names[_list]
                path += (unwritten,)
            self.last_item[path[len(path) - 1]] = here
        self.role[here] = _names[role]
        self.kind[node] = role
        return path + (here,)

    cdef int _innermost(self, tuple path):
        """Return the number of the role of the last container, that of "" where there is none."""
        cdef Py_ssize_t node
        if not path:
            return NONE
        node = path[len(path) - 1]
        return _list if node < 0 else self.kind[node]
