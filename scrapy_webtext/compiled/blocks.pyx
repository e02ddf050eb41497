"""Twin of ``extractors/naive_bayes/blocks.py``, for blocks that hold their own text.

Blocks with what is inside them, the letter of the paper, are left to Python.
"""

from cpython.array cimport array
from libc.string cimport memset

from scrapy_webtext.compiled import in_python

from scrapy_webtext.compiled.integers cimport as_integers, integer_at
from scrapy_webtext.compiled.marks cimport Marks
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.untracked cimport untracked

cdef frozenset _PARAGRAPH = frozenset({"p"})
#: What is punctuation -> its characters.
cdef dict _marks = {}


cdef Marks _marks_of(punctuation):
    from scrapy_webtext.extractors.naive_bayes import levels

    found = _marks.get(punctuation)
    if found is None:
        found = Marks(levels._ASCII[punctuation] + levels._OTHER[punctuation])
        _marks[punctuation] = found
    return <Marks> found


def web_blocks(page, blocking):
    from scrapy_webtext.extractors.naive_bayes import blocks as python

    if blocking.nested == "affiliated":
        return in_python("extractors.naive_bayes.blocks.web_blocks")(page, blocking)
    names = python.BLOCK_TAGS[blocking.block_tags]
    cdef bytearray noise = python.noise_of(page, blocking.denoising)
    cdef Nodes own = stored_nodes(page.nodes)
    cdef array owners = own.nearest(names), nodes = as_integers(page.blocks.node)
    cdef list parts = []
    cdef bytearray room = bytearray(max(own.count, 1) * sizeof(int))
    cdef int* numbers = <int*> <char*> room  # owner -> its web block
    cdef Py_ssize_t block, node, owner, before = -1
    cdef bint has_outside = blocking.outside != "none"
    memset(numbers, 0xFF, len(room))
    for block in range(len(nodes)):
        node = integer_at(nodes, block)
        if noise[node]:
            continue
        owner = integer_at(owners, node)
        if not has_outside and own.names[own.name[owner]] not in names:
            continue
        if numbers[owner] < 0:
            if before >= 0 and own.up[before] == own.up[owner]:
                numbers[owner] = numbers[before]
            else:
                numbers[owner] = <int> len(parts)
                parts.append(untracked([]))
        (<list> parts[numbers[owner]]).append(number(block))
        before = owner
    paragraphs = _paragraphs(own, owners, numbers, len(parts))
    return _counted(page.blocks, parts, paragraphs, _marks_of(blocking.punctuation))


cdef list _paragraphs(Nodes nodes, array owners, const int* numbers, Py_ssize_t blocks):
    """Return the paragraphs of each web block."""
    cdef list found = [number(0)] * blocks
    cdef Py_ssize_t i
    cdef int k
    for i in nodes.tagged(_PARAGRAPH):
        k = numbers[integer_at(owners, i)]
        if k >= 0:
            found[k] = number(<Py_ssize_t> found[k] + 1)
    return found


cdef list _counted(blocks, list parts, list paragraphs, Marks marks):
    """Return web blocks with the counts behind their features."""
    from scrapy_webtext.extractors.naive_bayes.blocks import WebBlock
    from scrapy_webtext.extractors.naive_bayes.levels import Counts

    cdef array chars = as_integers(blocks.chars), link_chars = as_integers(blocks.link_chars)
    cdef list text = blocks.text, own, found = []
    cdef Py_ssize_t k, i, block, all_chars, linked, punctuation
    make = tuple.__new__
    for k in range(len(parts)):
        own = parts[k]
        all_chars = linked = punctuation = 0
        for i in range(len(own)):
            block = own[i]
            all_chars += integer_at(chars, block)
            linked += integer_at(link_chars, block)
            punctuation += marks.count_in(<str> text[block])
        counts = make(Counts, (all_chars, linked, punctuation, paragraphs[k]))
        found.append(make(WebBlock, (own, counts, ())))
    return found
