"""Twin of ``page/columns.py``: a tree of lxml to columns, by the fields of libxml2's nodes.

lxml's public C API says which node of libxml2 is behind an element. Its fields are read where
they lie; no function of libxml2 is called, nothing is written, and nothing of it is left when
`read_columns` returns. Two passes: one over the nodes, which finds their order and nesting, and
one that fills columns of known length. The interpreter's lock is held, as lxml holds it whenever
it changes a tree, and the root keeps the tree alive.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, strlen
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlAttr, xmlNode

from sys import intern

#: lxml's own declarations ask for objects of the size that they had at the build. Fields that later
#: releases add behind these are of no concern.
cdef extern from "etree_defs.h":
    bint _isElement(xmlNode* node) noexcept nogil

cdef extern from "etree_api.h":
    int import_lxml__etree() except -1
    str attributeValue(xmlNode* element, xmlAttr* attribute)

    cdef class lxml.etree._Document [object LxmlDocument, check_size ignore]:
        pass

    cdef class lxml.etree._Element [object LxmlElement, check_size ignore]:
        cdef _Document _doc
        cdef xmlNode* _c_node

import_lxml__etree()

cdef enum:
    #: White space of fewer bytes is made into a string once.
    BLANKS = 64


cdef class Names:
    """Strings of names by where libxml2 keeps them: equal ones lie in one place, by and large."""

    cdef const unsigned char** _keys
    cdef list _values
    cdef int* _places
    cdef size_t _size
    cdef int _count

    def __cinit__(self):
        self._size = 256
        self._keys = <const unsigned char**> calloc(self._size, sizeof(void*))
        self._places = <int*> calloc(self._size, sizeof(int))
        if self._keys is NULL or self._places is NULL:
            raise MemoryError
        self._values = []

    def __dealloc__(self):
        free(self._keys)
        free(self._places)

    cdef str get(self, const unsigned char* key):
        cdef size_t slot = self._slot(key)
        if self._keys[slot] is NULL:
            self._values.append(intern((<const char*> key).decode("utf-8")))
            self._keys[slot] = key
            self._places[slot] = self._count
            self._count += 1
            if <size_t> self._count * 2 > self._size:
                self._grow()
            return <str> self._values[self._count - 1]
        return <str> self._values[self._places[slot]]

    cdef size_t _slot(self, const unsigned char* key) noexcept:
        cdef size_t slot = (<uintptr_t> key * <size_t> 0x9E3779B97F4A7C15u) >> 20
        slot &= self._size - 1
        while self._keys[slot] is not NULL and self._keys[slot] is not key:
            slot = (slot + 1) & (self._size - 1)
        return slot

    cdef int _grow(self) except -1:
        cdef const unsigned char** keys = self._keys
        cdef int* places = self._places
        cdef size_t old = self._size, k, slot
        self._keys = <const unsigned char**> calloc(2 * old, sizeof(void*))
        self._places = <int*> calloc(2 * old, sizeof(int))
        self._size = 2 * old
        if self._keys is NULL or self._places is NULL:
            free(self._keys)
            free(self._places)
            self._keys, self._places, self._size = keys, places, old
            raise MemoryError
        for k in range(old):
            if keys[k] is not NULL:
                slot = self._slot(keys[k])
                self._keys[slot] = keys[k]
                self._places[slot] = places[k]
        free(keys)
        free(places)
        return 0


cdef class Order:
    """The nodes of a tree in document order, and how they nest."""

    cdef xmlNode** node
    cdef int* parent
    cdef int* end
    cdef int count
    cdef int depth
    cdef int _room

    def __dealloc__(self):
        free(self.node)
        free(self.parent)
        free(self.end)

    cdef int add(self, xmlNode* top) except -1:
        """Add a node and all below it."""
        cdef xmlNode* node = top
        cdef xmlNode* below
        cdef int current = -1, level = 0
        while True:
            if self.count == self._room:
                self._make_room()
            self.node[self.count] = node
            self.parent[self.count] = current
            self.count += 1
            self.end[self.count - 1] = self.count
            below = _element(node.children) if node.type == tree.XML_ELEMENT_NODE else NULL
            if below is not NULL:
                current = self.count - 1
                level += 1
                if level > self.depth:
                    self.depth = level
                node = below
                continue
            while node is not top:
                below = _element(node.next)
                if below is not NULL:
                    break
                node = node.parent
                self.end[current] = self.count
                current = self.parent[current]
                level -= 1
            if node is top:
                return 0
            node = below

    cdef int _make_room(self) except -1:
        cdef size_t room = 2 * <size_t> self._room if self._room else 2048
        cdef void* grown
        if room > 0x7FFFFFFF:
            raise MemoryError
        grown = realloc(self.node, room * sizeof(void*))
        if grown is NULL:
            raise MemoryError
        self.node = <xmlNode**> grown
        grown = realloc(self.parent, room * sizeof(int))
        if grown is NULL:
            raise MemoryError
        self.parent = <int*> grown
        grown = realloc(self.end, room * sizeof(int))
        if grown is NULL:
            raise MemoryError
        self.end = <int*> grown
        self._room = <int> room
        return 0


cdef class Texts:
    """Texts as strings; white space, most of a page's texts, is made once."""

    cdef list _blanks

    def __cinit__(self):
        self._blanks = [None] * BLANKS

    cdef object at(self, xmlNode* node):
        """Return the text that begins with this node, up to the next element; None for none."""
        cdef xmlNode* other
        node = _text(node)
        if node is NULL:
            return None
        other = _text(node.next)
        if other is NULL:
            return self._string(node.content)
        parts = b""
        while node is not NULL:
            if node.content is not NULL:
                parts += <bytes> <const char*> node.content
            node = _text(node.next)
        return (<bytes> parts).decode("utf-8")

    cdef str _string(self, const unsigned char* content):
        cdef size_t size = 0 if content is NULL else strlen(<const char*> content)
        if size == 0:
            return ""
        if content[0] > 32 or size >= BLANKS:
            return PyUnicode_DecodeUTF8(<const char*> content, size, NULL)
        known = self._blanks[size]
        if known is not None and memcmp(<const char*> (<bytes> known[0]), content, size) == 0:
            return <str> known[1]
        text = PyUnicode_DecodeUTF8(<const char*> content, size, NULL)
        if (<str> text).isspace():
            raw = PyBytes_FromStringAndSize(<const char*> content, size)
            self._blanks[size] = (raw, text)
        return text


cdef inline xmlNode* _element(xmlNode* node) noexcept:
    """Return the first of a node and its next siblings that lxml shows as an element."""
    while node is not NULL and not _isElement(node):
        node = node.next
    return node


cdef inline xmlNode* _text(xmlNode* node) noexcept:
    """Return the first text from here on, if nothing but markers of XInclude comes before it."""
    while node is not NULL:
        if node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE:
            return node
        if node.type != tree.XML_XINCLUDE_START and node.type != tree.XML_XINCLUDE_END:
            return NULL
        node = node.next
    return NULL


cdef str _name(Names names, const unsigned char* name, tree.xmlNs* ns):
    if ns is NULL or ns.href is NULL:
        return names.get(name)
    return f"{{{(<const char*> ns.href).decode('utf-8')}}}{names.get(name)}"


cdef str _value(xmlNode* node, xmlAttr* attribute):
    cdef xmlNode* held = attribute.children
    if held is NULL:
        return ""
    if held.next is NULL and attribute.ns is NULL and held.content is not NULL and (
        held.type == tree.XML_TEXT_NODE or held.type == tree.XML_CDATA_SECTION_NODE
    ):
        return PyUnicode_DecodeUTF8(
            <const char*> held.content, strlen(<const char*> held.content), NULL
        )
    return attributeValue(node, attribute)


cdef inline void _put(list column, Py_ssize_t place, object value) noexcept:
    Py_INCREF(value)
    PyList_SET_ITEM(column, place, value)


def read_columns(_Element root not None):
    """Return the columns of a tree."""
    from scrapy_webtext.page.columns import Columns
    from scrapy_webtext.page.stream_parser import is_json_ld
    from scrapy_webtext.page.nodes import Attributes, Nodes

    cdef xmlNode* node = root._c_node
    cdef Order order = Order()
    while node is not NULL:
        if node.type == tree.XML_ELEMENT_NODE:
            order.add(node)
        node = node.next

    cdef int n = order.count, i, places = 0
    cdef Names names = Names()
    cdef Texts texts = Texts()
    cdef xmlAttr* attribute
    cdef list tag = PyList_New(n), parent = PyList_New(n), end = PyList_New(n)
    cdef list text = PyList_New(n), tail = PyList_New(n), first = PyList_New(n + 1)
    cdef list flat = [], json_ld = []
    cdef str name, key, value
    cdef object kind
    _put(first, 0, 0)
    for i in range(n):
        node = order.node[i]
        name = ""
        own = None
        if node.type == tree.XML_ELEMENT_NODE:
            name = _name(names, node.name, node.ns)
            kind = ""
            attribute = node.properties
            while attribute is not NULL:
                if attribute.type == tree.XML_ATTRIBUTE_NODE:
                    key = _name(names, attribute.name, attribute.ns)
                    value = _value(node, attribute)
                    flat.append(key)
                    flat.append(value)
                    places += 2
                    if key == "type":
                        kind = value
                attribute = attribute.next
            if name == "script":
                if is_json_ld(kind):
                    json_ld.append(texts.at(node.children) or "")
            elif name != "style":
                own = texts.at(node.children)
        _put(tag, i, name)
        _put(parent, i, order.parent[i])
        _put(end, i, order.end[i])
        _put(text, i, own)
        _put(tail, i, texts.at(node.next))
        _put(first, i + 1, places)
    nodes = Nodes(tag, parent, end, Attributes(flat, first), text, tail)
    return Columns(nodes, json_ld, order.depth)
