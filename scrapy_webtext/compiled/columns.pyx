"""Twin of ``page/columns.py``: a tree of lxml to columns, by the fields of libxml2's nodes.

lxml's public C API says which node of libxml2 is behind an element. Its fields are read where
they lie; no function of libxml2 is called, nothing is written, and nothing of it is left when
`read_columns` returns. The interpreter's lock is held, as lxml holds it whenever it changes a tree,
and the root keeps the tree alive.
"""

cimport cython
from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport strlen
from lxml.includes cimport tree
from lxml.includes.tree cimport xmlAttr, xmlNode

from sys import intern

from scrapy_webtext.compiled.attributes cimport Attributes
from scrapy_webtext.compiled.byte_strings cimport ByteStrings
from scrapy_webtext.compiled.memory cimport resized
from scrapy_webtext.compiled.nodes cimport Nodes
from scrapy_webtext.compiled.text_column cimport TextColumn
from scrapy_webtext.page.stream_parser import is_json_ld

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

#: Places of these names.
cdef enum:
    SCRIPT
    STYLE

cdef list _FIRST_NAMES = ["script", "style"]

#: Names that are kept, and bytes of each.
cdef enum:
    MAX_KEPT = 4096
    MAX_KEPT_SIZE = 64

#: The first short names of all pages, and their strings: most are the same on the next page.
cdef ByteStrings _kept = ByteStrings()
cdef list _kept_strings = [None] * MAX_KEPT


@cython.final
cdef class Names:
    """Strings of names by where libxml2 keeps them: equal ones lie in one place, by and large."""

    cdef const unsigned char** _keys
    cdef int* _places
    cdef size_t _size, _used
    cdef list values
    cdef dict _known

    def __cinit__(self):
        self._size = 256
        self._keys = <const unsigned char**> calloc(self._size, sizeof(void*))
        self._places = <int*> calloc(self._size, sizeof(int))
        if self._keys is NULL or self._places is NULL:
            raise MemoryError
        self.values, self._known = [], {}

    def __dealloc__(self):
        free(self._keys)
        free(self._places)

    cdef int place(self, const unsigned char* key, tree.xmlNs* ns) except -1:
        """Return where a name stands in ``values``, one place for equal names."""
        cdef size_t slot
        cdef int known
        if ns is not NULL and ns.href is not NULL:
            name = (<const char*> key).decode("utf-8")
            return self._of(intern(f"{{{(<const char*> ns.href).decode('utf-8')}}}{name}"))
        slot = self._slot(key)
        if self._keys[slot] is NULL:
            known = self._of(_string(key))
            self._keys[slot] = key
            self._places[slot] = known
            self._used += 1
            if 2 * self._used > self._size:
                self._grow()
            return known
        return self._places[slot]

    cdef int _of(self, str name) except -1:
        known = self._known.get(name)
        if known is None:
            known = len(self.values)
            self.values.append(name)
            self._known[name] = known
        return known

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


cdef str _string(const unsigned char* name):
    """Return a name as an interned string."""
    cdef size_t size = strlen(<const char*> name)
    cdef int number = _kept.find(name, size)
    cdef str made
    if number >= 0:
        return <str> _kept_strings[number]
    made = intern((<const char*> name).decode("utf-8"))
    if size <= MAX_KEPT_SIZE and _kept.count < MAX_KEPT:
        number = _kept.add(name, size)
        _kept_strings[number] = made
    return made


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
    cdef int type_key, depth
    #: The numbers of the nodes above the one that is read.
    cdef int* _open
    cdef int _room

    def __cinit__(self):
        self.json_ld, self.nodes = [], Nodes()
        self.names, self.keys = Names(), Names()
        self.names.values += _FIRST_NAMES
        self.names._known = {name: k for k, name in enumerate(_FIRST_NAMES)}
        self.keys.values.append("type")
        self.keys._known = {"type": 0}
        self.nodes.names, self.nodes.attributes.names = self.names.values, self.keys.values

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
        cdef int name = self.names.place(node.name, node.ns)
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
        cdef object kind = ""
        cdef TextColumn text
        cdef int key
        while attribute is not NULL:
            if attribute.type == tree.XML_ATTRIBUTE_NODE:
                key = self.keys.place(attribute.name, attribute.ns)
                _add_attribute(attributes, key, node, attribute)
                if key == 0 and name == SCRIPT:
                    kind = attributes.value(attributes.count - 1)
            attribute = attribute.next
        if kind and is_json_ld(kind):
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

    cdef xmlNode* node = root._c_node
    cdef Reader to = Reader()
    while node is not NULL:
        if node.type == tree.XML_ELEMENT_NODE:
            to.add(node)
        node = node.next
    return Columns(to.nodes, to.json_ld, to.depth)
