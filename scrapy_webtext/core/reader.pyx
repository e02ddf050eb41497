"""Reads a tree of lxml into columns, from the fields of libxml2's nodes.

lxml's public C API gives the libxml2 node of an element. The fields of nodes are read in place. No
function of libxml2 is called, nothing is written, and no pointer is kept when `read` returns. The
interpreter's lock is held; lxml holds it, too, whenever it changes a tree. The root keeps the tree
alive. While nodes are read, no Python code runs, and the garbage collector, which may run Python
code, is off: otherwise another thread could change the tree.
"""

cimport cython
from cpython.array cimport array, resize
from cpython.object cimport Py_SIZE
from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport strlen
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlAttr, xmlNode, xmlNs

from scrapy_webtext.core.arrays cimport unset_longs
from scrapy_webtext.core.texts cimport Texts, resized

#: lxml's own declarations require the object sizes of the build. Here the sizes are not checked,
#: because fields that later releases add after these do no harm.
cdef extern from "etree_api.h":
    int import_lxml__etree() except -1
    str attributeValue(xmlNode* element, xmlAttr* attribute)

    cdef class lxml.etree._Document [object LxmlDocument, check_size ignore]:
        pass

    cdef class lxml.etree._Element [object LxmlElement, check_size ignore]:
        cdef _Document _doc
        cdef xmlNode* _c_node

import_lxml__etree()

cdef extern from "Python.h":
    int PyGC_Disable()
    int PyGC_Enable()

cdef enum:
    #: Maximum size of a name, in bytes and in characters. Each name may contain the address of a
    #: namespace, so without a limit the names could be quadratic in the page.
    MAX_NAME_BYTES = 4_000
    MAX_NAME_CHARS = 1_000
    MAX_SOURCE_SIZE = 1 << 22

#: Indices of names that are added before a page is read: tags SCRIPT and STYLE, attribute TYPE.
cdef enum:
    SCRIPT
    STYLE

    TYPE = 0


cdef inline xmlNode* _element(xmlNode* node) noexcept:
    """Return the node or its first following sibling that is an element; NULL if none."""
    while node is not NULL and node.type != tree.XML_ELEMENT_NODE:
        node = node.next
    return node


cdef inline xmlNode* _text(xmlNode* node) noexcept:
    """Return the first text node from ``node`` on, before the next element; NULL if none."""
    while node is not NULL and node.type != tree.XML_ELEMENT_NODE:
        if node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE:
            return node
        node = node.next
    return NULL


cdef int _add_text(Texts to, xmlNode* node) except -1:
    """Add the text from ``node`` on, up to the next element; add None if there is no text."""
    node = _text(node)
    if node is NULL:
        return to.add_none()
    if _text(node.next) is NULL:
        return to.add(node.content, _size(node))
    return _add_texts(to, node)


cdef int _add_texts(Texts to, xmlNode* node) except -1:
    """Add the text nodes from ``node`` on, up to the next element, as one text."""
    cdef list parts = []
    cdef bytes whole
    while node is not NULL:
        if node.content is not NULL:
            parts.append(<bytes> <const char*> node.content)
        node = _text(node.next)
    whole = b"".join(parts)
    return to.add(whole, len(whole))


cdef inline size_t _size(xmlNode* node) noexcept:
    return 0 if node.content is NULL else strlen(<const char*> node.content)


cdef int _add_value(Texts to, xmlNode* node, xmlAttr* attribute) except -1:
    cdef xmlNode* held = attribute.children
    cdef bytes value
    if held is NULL:
        return to.add(b"", 0)
    if held.next is NULL and attribute.ns is NULL and held.content is not NULL and (
        held.type == tree.XML_TEXT_NODE or held.type == tree.XML_CDATA_SECTION_NODE
    ):
        return to.add(held.content, _size(held))
    value = attributeValue(node, attribute).encode("utf-8")
    return to.add(value, len(value))


cdef struct Place:
    const unsigned char* name
    const unsigned char* namespace
    int place


@cython.final
cdef class Names:
    """Distinct names, looked up by the address at which libxml2 stores them.

    libxml2 stores most equal names at one address.
    """

    cdef list values
    cdef dict _known
    cdef Place* _places
    cdef size_t _size, _used

    def __cinit__(self):
        self.values, self._known = [], {}
        self._make_room(512)

    def __dealloc__(self):
        free(self._places)

    cdef int place(self, const unsigned char* name, xmlNs* space) except -1:
        """Return the index of a name in ``values``; add a new name."""
        cdef const unsigned char* namespace = NULL
        if space is not NULL:
            namespace = space.href
        cdef Place* found = self._find(name, namespace)
        if found.name is NULL:
            found[0] = Place(name, namespace, self._add(name, namespace))
            self._used += 1
            if 2 * self._used > self._size:
                self._make_room(2 * self._size)
                found = self._find(name, namespace)
        return found.place

    cdef int _add(self, const unsigned char* name, const unsigned char* namespace) except -1:
        cdef str text = _decoded(name)
        if namespace is not NULL:
            text = f"{{{_decoded(namespace)}}}{text}"[:MAX_NAME_CHARS]
        return self.add(text)

    cdef int add(self, str text) except -1:
        """Return the index of a text in ``values``; add a new text."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = len(self.values)
            self.values.append(text)
        return found

    cdef Place* _find(self, const unsigned char* name, const unsigned char* namespace) noexcept:
        cdef size_t mixed = <uintptr_t> name ^ (<uintptr_t> namespace << 1)
        cdef size_t k = ((mixed * <size_t> 0x9E3779B97F4A7C15u) >> 20) & (self._size - 1)
        cdef Place* at = self._places + k
        while at.name is not NULL and not (at.name is name and at.namespace is namespace):
            k = (k + 1) & (self._size - 1)
            at = self._places + k
        return at

    cdef int _make_room(self, size_t size) except -1:
        cdef Place* old = self._places
        cdef Place* made = <Place*> calloc(size, sizeof(Place))
        cdef size_t k, n = self._size
        if made is NULL:
            raise MemoryError
        self._places, self._size = made, size
        for k in range(n):
            if old[k].name is not NULL:
                self._find(old[k].name, old[k].namespace)[0] = old[k]
        free(old)
        return 0


cdef str _decoded(const unsigned char* name):
    cdef size_t size = strlen(<const char*> name)
    if size <= MAX_NAME_CHARS:
        return (<const char*> name)[:size].decode("utf-8")
    return (<const char*> name)[:min(size, MAX_NAME_BYTES)].decode("utf-8", "ignore")[:MAX_NAME_CHARS]


cdef inline int _append(array column, Py_ssize_t k, long long value) except -1:
    """Set value ``k`` of a column; enlarge the column if necessary."""
    if k >= Py_SIZE(column):
        resize(column, 2 * k + 1024)
    column.data.as_longlongs[k] = value
    return 0


@cython.final
cdef class Reader:
    """The columns of the nodes that are read so far."""

    cdef Names names, keys
    cdef array name, parent, end, first, key
    cdef Texts values, text, tail, json_ld
    cdef Py_ssize_t count, attributes
    cdef int depth
    #: The indices of the open nodes above the current node.
    cdef int* _open
    cdef int _room

    def __cinit__(self, Py_ssize_t source_size):
        self.names, self.keys = Names(), Names()
        self.names.add("script")
        self.names.add("style")
        self.keys.add("type")
        self.values, self.text, self.tail, self.json_ld = Texts(), Texts(), Texts(), Texts()
        self._make_room_for(min(source_size, MAX_SOURCE_SIZE))

    def __dealloc__(self):
        free(self._open)

    cdef int _make_room_for(self, Py_ssize_t size) except -1:
        """Allocate enough memory for nine of ten pages of this size."""
        cdef Py_ssize_t nodes = size // 100, attributes = size // 64
        self.name, self.parent, self.end = unset_longs(nodes), unset_longs(nodes), unset_longs(nodes)
        self.first, self.key = unset_longs(nodes + 1), unset_longs(attributes)
        self.first.data.as_longlongs[0] = 0
        self.values.make_room(attributes, size // 2)
        self.text.make_room(nodes, size // 5)
        self.tail.make_room(nodes, size // 9)
        return 0

    cdef int add(self, xmlNode* top) except -1:
        """Add a node and all nodes below it, in document order."""
        cdef xmlNode* node = top
        cdef xmlNode* other
        cdef int current = -1, level = 0
        while True:
            self._add(node, current)
            other = _element(node.children)
            if other is not NULL:
                if level == self._room:
                    self._make_room()
                self._open[level] = current
                level += 1
                if level > self.depth:
                    self.depth = level
                current = <int> self.count - 1
                node = other
                continue
            while node is not top:
                other = _element(node.next)
                if other is not NULL:
                    break
                node = node.parent
                self.end.data.as_longlongs[current] = self.count
                level -= 1
                current = self._open[level]
            if node is top:
                return 0
            node = other

    cdef int _add(self, xmlNode* node, int current) except -1:
        cdef int name = self.names.place(node.name, node.ns)
        cdef Py_ssize_t k = self.count
        self._add_attributes(node, name)
        if name > STYLE:
            _add_text(self.text, node.children)
        else:
            self.text.add_none()
        _add_text(self.tail, node.next)
        _append(self.name, k, name)
        _append(self.parent, k, current)
        _append(self.end, k, k + 1)
        _append(self.first, k + 1, self.attributes)
        self.count += 1
        return 0

    cdef int _add_attributes(self, xmlNode* node, int name) except -1:
        """Add the attributes of an element; if it is a JSON-LD script, add its text."""
        cdef xmlAttr* attribute = node.properties
        cdef bint is_json_ld = False
        cdef int key
        while attribute is not NULL:
            if attribute.type == tree.XML_ATTRIBUTE_NODE:
                key = self.keys.place(attribute.name, attribute.ns)
                _add_value(self.values, node, attribute)
                if key == TYPE and name == SCRIPT:  # the same test as `page.parse.is_json_ld`
                    is_json_ld = "ld+json" in self.values.at(self.attributes).lower()
                _append(self.key, self.attributes, key)
                self.attributes += 1
            attribute = attribute.next
        if is_json_ld:
            _add_text(self.json_ld, node.children)
        return 0

    cdef int _make_room(self) except -1:
        cdef size_t room = 2 * <size_t> self._room + 256
        self._open, self._room = <int*> resized(self._open, room * sizeof(int)), <int> room
        return 0

    cdef int read(self, xmlNode* node) except -1:
        """Read a node and the next siblings that are elements."""
        while node is not NULL:
            if node.type == tree.XML_ELEMENT_NODE:
                self.add(node)
            node = node.next
        for column in (self.name, self.parent, self.end):
            resize(column, self.count)
        resize(self.first, self.count + 1)
        resize(self.key, self.attributes)
        self.values.drop_room()
        self.text.drop_room()
        self.tail.drop_room()
        return 0


def read(_Element root not None, Py_ssize_t source_size=0):
    """Return six values of a tree: columns of nodes and attributes, text, tail, JSON-LD, depth.

    ``source_size`` is the size of the source in bytes, from which the needed memory is estimated.
    """
    cdef Reader to = Reader(source_size)
    cdef int was_enabled = PyGC_Disable()
    try:
        to.read(root._c_node)
    finally:
        if was_enabled:
            PyGC_Enable()
    return (
        (to.names.values, to.name, to.parent, to.end),
        (to.keys.values, to.key, to.values, to.first),
        to.text,
        to.tail,
        [text or "" for text in to.json_ld],
        to.depth,
    )
