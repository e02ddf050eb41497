"""Twin of ``page/text.py``: runs and blocks, one pass each.

Texts of nodes are looked at and folded as UTF-8; strings are made of those that become runs.
"""

cimport cython
from cpython.array cimport array, resize
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free

from scrapy_webtext.compiled.arrays cimport (
    as_integers,
    integer_at,
    integers,
    new_integers,
    untracked,
)
from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.memory cimport resized
from scrapy_webtext.compiled.nodes cimport Nodes, stored_nodes
from scrapy_webtext.compiled.text_column cimport (
    BEGINS_BLANK,
    ENDS_BLANK,
    TextColumn,
)
from scrapy_webtext.compiled.characters cimport blank_size, is_folded, trim

cdef enum Gap:
    JOINED
    SPACE
    LINE
    BREAK

#: Bits of a tag, in the order of the sets that `_kinds` is made of; the last is set by `_kinds_of`.
cdef enum Kind:
    PARTING = 1
    FLOWING = 2
    APART = 4
    PREFORMATTED = 8
    IS_VOID = 16
    IS_BREAK = 32
    UNSHOWN = 64
    #: What a node keeps that parts no line.
    KEPT = PREFORMATTED | IS_VOID

#: Bits of a tag, in the order of the sets that `_inline_kinds` is made of.
cdef enum InlineKind:
    IS_INLINE = 1
    IS_BLOCK = 2
    IS_PARAGRAPH = 4

cdef enum:
    REACH = 32

cdef Kinds _kinds = None
cdef Kinds _inline_kinds = None
cdef str _unseen = ""


cdef int _prepare() except -1:
    """Take the sets of names from the Python module, the one place where they stand."""
    global _kinds, _inline_kinds, _unseen
    from scrapy_webtext.page import tags, text

    _unseen = text.INVISIBLE
    _kinds = Kinds(
        text._PARTING,
        text._FLOWING,
        tags.APART,
        tags.PREFORMATTED,
        tags.VOID,
        frozenset({"br"}),
    )
    _inline_kinds = Kinds(tags.INLINE, text._BLOCK, tags.PARAGRAPH)
    return 0


cdef bint _is_seen(TextColumn texts, Py_ssize_t k):
    """Whether a text has a character that can be seen."""
    cdef const unsigned char* at = texts.data + texts.piece[k].begin
    cdef unsigned int i
    for i in range(texts.piece[k].size):
        if 0x20 < at[i] < 0x7F:
            return True
    for char in texts.at(k):
        if char not in _unseen:
            return True
    return False


@cython.final
cdef class Folding:
    """Room for a text whose white space is folded."""

    cdef unsigned char* _folded
    cdef size_t _room

    def __dealloc__(self):
        free(self._folded)

    cdef str of(self, const unsigned char* at, size_t size):
        """Return what `" ".join(text.split())` gives of a text with words."""
        cdef const unsigned char* end = at + size
        cdef unsigned char* to
        cdef size_t room = 2 * size + 4096
        cdef int blank
        trim(&at, &end)
        if is_folded(at, end - at):
            return PyUnicode_DecodeUTF8(<const char*> at, end - at, "surrogatepass")
        if size >= self._room:
            self._folded, self._room = <unsigned char*> resized(self._folded, room), room
        to = self._folded
        while at < end:
            blank = 0 if 0x20 < at[0] < 0x80 else blank_size(at, end)
            if not blank:
                to[0] = at[0]
                to, at = to + 1, at + 1
                continue
            at += blank
            if to[-1] != c" ":
                to[0] = c" "
                to += 1
        return PyUnicode_DecodeUTF8(<const char*> self._folded, to - self._folded, "surrogatepass")


@cython.final
cdef class Reading:
    """The runs so far, and what stands between the last one and the next."""

    cdef array node, gaps, tags_before
    cdef list texts
    cdef Py_ssize_t count
    cdef Folding folding
    cdef dict preformatted
    cdef object closed
    cdef int gap, pre
    cdef Py_ssize_t seen
    cdef str blank

    cdef int add(self, TextColumn texts, Py_ssize_t k, Py_ssize_t owner) except -1:
        """Record a piece of text, if it is one, and the gap that it leaves behind."""
        cdef unsigned int kind = texts.piece[k].kind
        cdef bint has_words = texts.has_words(k)
        if not self.pre and not has_words:
            if self.gap == JOINED:
                self.gap = SPACE
            return 0
        if self.closed and owner in self.closed:
            return 0
        if has_words and not _is_seen(texts, k):
            return 0
        if self.pre:
            if not has_words:
                self.blank += texts.at(k)
                return 0
            self.preformatted[self.count] = self.blank + texts.at(k)
            self.blank = ""
        self.node.data.as_longlongs[self.count] = owner
        self.texts.append(self.folding.of(texts.data + texts.piece[k].begin, texts.piece[k].size))
        self.tags_before.data.as_longlongs[self.count] = self.seen
        if self.gap == JOINED and not self.pre and kind & BEGINS_BLANK:
            self.gap = SPACE
        self.gaps.data.as_longlongs[self.count] = self.gap
        self.count += 1
        self.gap = SPACE if not self.pre and kind & ENDS_BLANK else JOINED
        return 0

    cdef bint goes_on(self):
        """Whether the last run ends in a word."""
        text = <str> self.texts[self.count - 1]
        return text[len(text) - 1].isalnum()


cdef bytearray _kinds_of(Nodes nodes, hidden, inline):
    """Return the bits of each node: of its tag, if it is not hidden or in a line."""
    cdef bytearray kinds = nodes.kinds(_kinds), found = bytearray(nodes.count)
    cdef Py_ssize_t i
    for i in range(nodes.count):
        found[i] = kinds[nodes.name[i]]
    for i in inline:
        found[i] = found[i] & KEPT | PARTING | FLOWING
    for i in inline.union(hidden.elements).intersection(hidden.tops):
        found[i] = found[i] & KEPT | PARTING | FLOWING | UNSHOWN
    return found


def read_runs(nodes, hidden):
    from scrapy_webtext.page.text import Runs, _join_across

    if _kinds is None:
        _prepare()
    inline = find_inline(nodes, hidden.mask)
    cdef Nodes columns = stored_nodes(nodes)
    cdef TextColumn text = columns.text, tail = columns.tail
    cdef bytearray kinds = _kinds_of(columns, hidden, inline)
    cdef Py_ssize_t n = columns.count, i, current = -1, closed, closes = -1, most = _with_words(columns)
    cdef list unshown = [], made = []
    cdef long long* first = new_integers(made, n)
    cdef long long* end = new_integers(made, n)
    cdef Reading to = Reading()
    cdef int kind, around_gap = BREAK, around_pre = 0
    cdef str around_blank = ""
    to.texts, to.preformatted = untracked([]), {}
    to.node, to.gaps, to.tags_before = integers(most), integers(most), integers(most)
    to.closed, to.gap, to.blank, to.folding = hidden.closed, BREAK, "", Folding()
    # One turn more than there are nodes: the last closes what is still open.
    for i in range(n + 1):
        while current >= 0 and closes == i:
            kind = kinds[current]
            if kind & PARTING:
                if kind & FLOWING:
                    if kind & UNSHOWN:
                        to.gap, to.pre, to.blank = around_gap, around_pre, around_blank
                        unshown.append(range(first[current], to.count))
                    if to.gap == JOINED and (
                        kind & APART or (current in inline and _begins_with_word(tail, current))
                    ):
                        to.gap = SPACE
                else:
                    to.gap = BREAK
                    to.pre -= (kind & PREFORMATTED) != 0
                    to.blank = ""
            to.seen += not kind & IS_VOID
            end[current] = to.count
            closed = current
            current = columns.up[current]
            if current >= 0:
                closes = columns.last[current]
                if tail.piece[closed].size:
                    to.add(tail, closed, current)
        if i == n:
            break
        first[i] = to.count
        current = i
        closes = columns.last[i]
        kind = kinds[i]
        if kind & PARTING:
            if kind & UNSHOWN:
                around_gap, around_pre, around_blank = to.gap, to.pre, to.blank
                to.gap, to.pre, to.blank = BREAK, (kind & PREFORMATTED) != 0, ""
            elif not kind & FLOWING:
                to.gap = BREAK
                to.pre += (kind & PREFORMATTED) != 0
            elif to.gap == JOINED and (kind & APART or to.goes_on()):
                to.gap = SPACE
        elif kind & IS_BREAK:
            to.gap = LINE if to.gap < LINE else BREAK
        to.seen += 1
        if text.piece[i].size:
            to.add(text, i, i)
    for column in (to.node, to.gaps, to.tags_before):
        resize(column, to.count)
    _join_across(to.gaps, unshown)
    return Runs(to.node, to.texts, to.gaps, to.tags_before, to.preformatted, *made, inline)


cdef Py_ssize_t _with_words(Nodes nodes):
    """Return the number of pieces of text with words: there are no more runs."""
    cdef Py_ssize_t i, found = 0
    for i in range(nodes.count):
        found += nodes.text.has_words(i) + nodes.tail.has_words(i)
    return found


cdef bint _begins_with_word(TextColumn texts, Py_ssize_t k):
    return texts.at(k)[:1].isalnum()


def read_blocks(runs, containers, bytearray is_link, bytearray hidden):
    from scrapy_webtext.page.text import Blocks

    cdef array owner = as_integers(runs.node), gaps = as_integers(runs.gap)
    cdef array nearest = as_integers(containers)
    cdef list texts = runs.text, text = untracked([])
    cdef dict preformatted = runs.preformatted
    cdef set unshown = set()
    cdef Py_ssize_t n = len(texts), k = 0, last, i, length, around, block = 0, blocks = 0
    cdef bint is_shown
    for k in range(n):
        blocks += integer_at(gaps, k) == BREAK
    # In the order of `Blocks`.
    cdef list made = []
    cdef long long* node = new_integers(made, blocks)
    cdef long long* first = new_integers(made, blocks)
    cdef long long* end = new_integers(made, blocks)
    cdef long long* chars = new_integers(made, blocks)
    cdef long long* link_chars = new_integers(made, blocks)
    k = 0
    while k < n and integer_at(gaps, k) != BREAK:
        k += 1
    while k < n:
        last = k + 1
        while last < n and integer_at(gaps, last) != BREAK:
            last += 1
        around = integer_at(nearest, integer_at(owner, k))
        is_shown = not hidden[integer_at(owner, k)]
        if not is_shown and not hidden[around]:
            around = integer_at(owner, k)
        for i in range(k, last):
            if i > k and is_shown and hidden[integer_at(owner, i)]:
                unshown.add(i)
                continue
            length = len(<str> texts[i])
            chars[block] += length
            if is_link[integer_at(owner, i)]:
                link_chars[block] += length
        text.append(_joined(k, last, texts, gaps, preformatted, unshown))
        node[block], first[block], end[block] = around, k, last
        block += 1
        k = last
    return Blocks(*made[:3], text, *made[3:], frozenset(unshown))


cdef str _joined(
    Py_ssize_t first, Py_ssize_t end, list texts, array gaps, dict preformatted, set without
):
    cdef Py_ssize_t k
    cdef int gap
    cdef list parts
    if end - first == 1 and not preformatted:
        return <str> texts[first]
    parts = [preformatted.get(first) or texts[first]]
    for k in range(first + 1, end):
        if without and k in without:
            continue
        gap = <int> integer_at(gaps, k)
        if gap != JOINED:
            parts.append(" " if gap == SPACE else "\n")
        parts.append((preformatted.get(k) or texts[k]) if preformatted else texts[k])
    text = "".join(parts)
    return text.strip("\r\n").rstrip() if first in preformatted else text


def find_inline(nodes, bytearray hidden):
    if _inline_kinds is None:
        _prepare()
    cdef Around around = Around(stored_nodes(nodes), hidden)
    cdef list found = []
    cdef Py_ssize_t i, up
    if not any([kind & IS_INLINE for kind in around.kinds]):
        return frozenset()
    for i in range(around.nodes.count):
        if around.kind(i) & IS_INLINE:
            up = around.up[i]
            if up >= 0 and not hidden[up] and around.is_in_line(i):
                found.append(i)
    return frozenset(found)


@cython.final
cdef class Around:
    """The columns of a page, and what is around an element by them."""

    cdef Nodes nodes
    cdef const int* up
    cdef TextColumn text, tail
    cdef bytearray hidden, kinds

    def __cinit__(self, Nodes nodes, hidden):
        self.nodes, self.up, self.hidden = nodes, nodes.up, hidden
        self.text, self.tail, self.kinds = nodes.text, nodes.tail, nodes.kinds(_inline_kinds)

    cdef inline int kind(self, Py_ssize_t node):
        return self.kinds[self.nodes.name[node]]

    cdef bint is_in_line(self, Py_ssize_t node):
        cdef Py_ssize_t around[REACH]
        cdef int n = 0, kind
        cdef Py_ssize_t i = node, block
        while n < REACH:
            around[n] = i
            n += 1
            i = self.up[i]
            if i < 0 or self.kind(i) & IS_BLOCK:
                break
        block = self.up[around[n - 1]]
        if block < 0:
            return False
        kind = self.kind(block)
        if not kind & IS_BLOCK or not self._is_after(around, n, block):
            return False
        if kind & IS_PARAGRAPH:
            return True
        return self._is_beside(around[n - 1]) and self._is_before(around, n, block)

    cdef bint _is_after(self, Py_ssize_t* around, int n, Py_ssize_t block):
        """Whether there is text after an element, up to the end of its block."""
        cdef int k
        cdef Py_ssize_t first = self.nodes.last[around[0]], i
        for k in range(n):
            if self.tail.has_words(around[k]):
                return True
        for i in range(first, min(<Py_ssize_t> self.nodes.last[block], first + REACH)):
            if not self.hidden[i] and self.text.has_words(i):
                return True
            if self.tail.has_words(i):
                return True
        return False

    cdef bint _is_beside(self, Py_ssize_t node):
        """Whether there is text directly before or after an element."""
        cdef Py_ssize_t before = node - 1, up = self.up[node]
        cdef int k
        if self.tail.has_words(node):
            return True
        if before == up:
            return self.text.has_words(before)
        for k in range(REACH):
            if self.up[before] == up:
                return self.tail.has_words(before)
            before = self.up[before]
        return False

    cdef bint _is_before(self, Py_ssize_t* around, int n, Py_ssize_t block):
        """Whether there is text before an element, from the beginning of its block."""
        cdef int k
        cdef Py_ssize_t node = around[0], i
        if self.text.has_words(block):
            return True
        for k in range(1, n):
            if self.text.has_words(around[k]):
                return True
        for i in range(max(block + 1, node - REACH), node):
            if not self.hidden[i] and self.text.has_words(i):
                return True
            if self.nodes.last[i] <= node and self.tail.has_words(i):
                return True
        return False
