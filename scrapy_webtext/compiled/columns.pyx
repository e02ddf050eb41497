"""Twin of ``page/columns.py``: a tree of lxml to columns, by the fields of libxml2's nodes.

lxml's public C API says which node of libxml2 is behind an element. Its fields are read where
they lie; no function of libxml2 is called, nothing is written, and nothing of it is left when
`read_columns` returns. The interpreter's lock is held, as lxml holds it whenever it changes a tree,
and the root keeps the tree alive. No Python code runs from the first look at a node to the last, nor
the garbage collector, which may call some: another thread could change the tree then.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport strlen
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlAttr, xmlNode, xmlNs

from scrapy_webtext.compiled.attributes cimport Attributes
from scrapy_webtext.compiled.memory cimport resized
from scrapy_webtext.compiled.node_names cimport Names
from scrapy_webtext.compiled.nodes cimport Nodes
from scrapy_webtext.compiled.text_column cimport TextColumn

#: lxml's own declarations ask for objects of the size that they had at the build. Fields that later
#: releases add behind these are of no concern.
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

#: Places of these names, which are known before a page is read: of elements, and of attributes.
cdef enum:
    SCRIPT
    STYLE

    TYPE = 0


cdef inline const unsigned char* _href(xmlNs* namespace) noexcept:
    return NULL if namespace is NULL else namespace.href


cdef inline xmlNode* _element(xmlNode* node) noexcept:
    """Return the first of a node and its next siblings that is an element."""
    while node is not NULL and node.type != tree.XML_ELEMENT_NODE:
        node = node.next
    return node


cdef inline xmlNode* _text(xmlNode* node) noexcept:
    """Return the first text from here on, up to the next element."""
    while node is not NULL and node.type != tree.XML_ELEMENT_NODE:
        if node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE:
            return node
        node = node.next
    return NULL


cdef int _add_text(TextColumn to, xmlNode* node) except -1:
    """Add the text that begins with this node, up to the next element; None for none."""
    node = _text(node)
    if node is NULL:
        return to.add_none()
    if _text(node.next) is NULL:
        return to.add(node.content, _size(node))
    return _add_texts(to, node)


cdef int _add_texts(TextColumn to, xmlNode* node) except -1:
    """Add this text and those behind it, up to the next element, as one."""
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


cdef int _add_attribute(Attributes to, int name, xmlNode* node, xmlAttr* attribute) except -1:
    cdef xmlNode* held = attribute.children
    cdef bytes value
    if held is NULL:
        return to.add(name, "", 0)
    if held.next is NULL and attribute.ns is NULL and held.content is not NULL and (
        held.type == tree.XML_TEXT_NODE or held.type == tree.XML_CDATA_SECTION_NODE
    ):
        return to.add(name, <const char*> held.content, strlen(<const char*> held.content))
    value = attributeValue(node, attribute).encode("utf-8")
    return to.add(name, value, len(value))


@cython.final
cdef class Reader:
    """The columns of the nodes so far."""

    cdef list json_ld
    cdef Nodes nodes
    cdef Names names, keys
    cdef int depth
    #: The numbers of the nodes above the one that is read.
    cdef int* _open
    cdef int _room

    def __cinit__(self):
        self.json_ld, self.nodes = [], Nodes()
        self.names, self.keys = Names(), Names()
        self.names.add(b"script")
        self.names.add(b"style")
        self.keys.add(b"type")
        self.nodes.names, self.nodes.attributes.names = self.names.values, self.keys.values
        self.nodes.numbers, self.nodes.attributes.numbers = self.names.numbers, self.keys.numbers

    def __dealloc__(self):
        free(self._open)

    cdef int add(self, xmlNode* top) except -1:
        """Add a node and all below it, in document order."""
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
                current = <int> self.nodes.count - 1
                node = other
                continue
            while node is not top:
                other = _element(node.next)
                if other is not NULL:
                    break
                node = node.parent
                self.nodes.last[current] = <int> self.nodes.count
                level -= 1
                current = self._open[level]
            if node is top:
                return 0
            node = other

    cdef int _add(self, xmlNode* node, int current) except -1:
        cdef int name = self.names.place(node.name, _href(node.ns))
        self._add_attributes(node, name)
        if name > STYLE:
            _add_text(self.nodes.text, node.children)
        else:
            self.nodes.text.add_none()
        _add_text(self.nodes.tail, node.next)
        self.nodes.attributes.end_row()
        return self.nodes.add(name, current)

    cdef int _add_attributes(self, xmlNode* node, int name) except -1:
        """Add the attributes of an element; keep the text of a script that is JSON-LD."""
        cdef xmlAttr* attribute = node.properties
        cdef Attributes attributes = self.nodes.attributes
        cdef str kind = ""
        cdef TextColumn text
        cdef int key
        while attribute is not NULL:
            if attribute.type == tree.XML_ATTRIBUTE_NODE:
                key = self.keys.place(attribute.name, _href(attribute.ns))
                _add_attribute(attributes, key, node, attribute)
                if key == TYPE and name == SCRIPT:
                    kind = attributes.value(attributes.count - 1)
            attribute = attribute.next
        if kind and "ld+json" in kind.lower():  # page.columns.is_json_ld, in C
            text = TextColumn()
            _add_text(text, node.children)
            self.json_ld.append(text.at(0))
        return 0

    cdef int _make_room(self) except -1:
        cdef size_t room = 2 * <size_t> self._room + 256
        self._open, self._room = <int*> resized(self._open, room * sizeof(int)), <int> room
        return 0


def read_columns(_Element root not None):
    """Return the columns of a tree."""
    from scrapy_webtext.page.columns import Columns

    cdef Reader to = Reader()
    cdef int was_enabled = PyGC_Disable()
    try:
        _read(to, root._c_node)
    finally:
        if was_enabled:
            PyGC_Enable()
    return Columns(to.nodes, to.json_ld, to.depth)


cdef int _read(Reader to, xmlNode* node) except -1:
    """Read a node and the next siblings that are elements."""
    while node is not NULL:
        if node.type == tree.XML_ELEMENT_NODE:
            to.add(node)
        node = node.next
    return 0
