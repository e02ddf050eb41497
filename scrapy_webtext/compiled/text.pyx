"""Twin of ``page/text.py``: runs and blocks, one pass each over lists that are there.

Characters are looked at where Python keeps them. A text whose white space is folded already,
as most are, becomes a run as it is.
"""

cimport cython
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_KIND,
)

from scrapy_webtext.compiled.kinds cimport Kinds
from scrapy_webtext.compiled.numbers cimport number
from scrapy_webtext.compiled.strings cimport Char, is_blank, is_space
from scrapy_webtext.compiled.untracked cimport untracked

cdef enum Gap:
    JOINED
    SPACE
    LINE
    BREAK

cdef enum:
    #: Characters that are folded without a list of their words.
    FOLDED_AT_ONCE = 4_096

#: Bits of a tag, in the order of the sets that `_kinds` is made of; the last is set by `_kinds_of`.
cdef enum Kind:
    PARTING = 1
    FLOWING = 2
    APART = 4
    PREFORMATTED = 8
    IS_VOID = 16
    IS_BREAK = 32
    IS_COMMENT = 64
    UNSHOWN = 128
    #: What a node keeps that parts no line.
    KEPT = PREFORMATTED | IS_VOID | IS_COMMENT

cdef Kinds _kinds = None
cdef str _unseen = ""


cdef int _prepare() except -1:
    """Take the sets of names from the Python module, the one place where they stand."""
    global _kinds, _unseen
    from scrapy_webtext.page import tags, text

    _unseen = text.INVISIBLE
    _kinds = Kinds(
        text._PARTING,
        text._FLOWING,
        tags.APART,
        tags.PREFORMATTED,
        tags.VOID,
        frozenset({"br"}),
        frozenset({""}),
    )
    return 0


cdef bint _is_seen(str text):
    """Whether a text has a character that can be seen."""
    cdef Py_ssize_t k
    cdef Py_UCS4 char
    for k in range(len(text)):
        char = text[k]
        if 0x20 < <unsigned int> char < 0x7F or char not in _unseen:
            return True
    return False


cdef bint _is_folded(const Char* data, Py_ssize_t n) noexcept:
    """Whether white space in a text is single blanks, none at its beginning or end."""
    cdef Py_ssize_t k
    cdef bint is_after = True
    for k in range(n):
        if is_blank(data[k]):
            if is_after or data[k] != 0x20:
                return False
            is_after = True
        else:
            is_after = False
    return not is_after


cdef str _folded(str text):
    """Return a text with its white space folded: what `" ".join(text.split())` gives."""
    cdef Py_ssize_t n = len(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef bint is_folded
    if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
        if _is_folded(<const unsigned char*> data, n):
            return text
        return _folded_latin(text, n) if n <= FOLDED_AT_ONCE else " ".join(text.split())
    if PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND:
        is_folded = _is_folded(<const unsigned short*> data, n)
    else:
        is_folded = _is_folded(<const unsigned int*> data, n)
    return text if is_folded else " ".join(text.split())


cdef str _folded_latin(str text, Py_ssize_t n):
    cdef unsigned char folded[FOLDED_AT_ONCE]
    cdef const unsigned char* data = <const unsigned char*> PyUnicode_DATA(text)
    cdef Py_ssize_t k, length = 0
    cdef bint is_apart = False
    for k in range(n):
        if is_blank(data[k]):
            is_apart = length > 0
            continue
        if is_apart:
            folded[length] = c" "
            length += 1
            is_apart = False
        folded[length] = data[k]
        length += 1
    return PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, folded, length)


@cython.final
cdef class Reading:
    """The runs so far, and what stands between the last one and the next."""

    cdef list node, texts, gaps, tags_before
    cdef dict preformatted
    cdef object closed
    cdef int gap, pre
    cdef Py_ssize_t seen
    cdef str blank

    cdef int add(self, str piece, Py_ssize_t owner) except -1:
        """Record a piece of text, if it is one, and the gap that it leaves behind."""
        cdef bint has_words
        if not self.pre and is_space(piece):
            if self.gap == JOINED:
                self.gap = SPACE
            return 0
        if self.closed and owner in self.closed:
            return 0
        has_words = not self.pre or not is_space(piece)
        if has_words and not _is_seen(piece):
            return 0
        if self.pre:
            if not has_words:
                self.blank += piece
                return 0
            self.preformatted[len(self.node)] = self.blank + piece
            self.blank = ""
        self.node.append(number(owner))
        self.texts.append(_folded(piece))
        self.tags_before.append(number(self.seen))
        if self.gap == JOINED and not self.pre and is_blank(piece[0]):
            self.gaps.append(SPACE)
        else:
            self.gaps.append(self.gap)
        self.gap = SPACE if not self.pre and is_blank(piece[len(piece) - 1]) else JOINED
        return 0

    cdef bint goes_on(self):
        """Whether the last run ends in a word."""
        text = <str> self.texts[len(self.texts) - 1]
        return text[len(text) - 1].isalnum()


cdef bytearray _kinds_of(list tag, hidden, inline):
    """Return the bits of each node: of its tag, if it is not hidden or in a line."""
    cdef bytearray found = bytearray(len(tag))
    cdef Py_ssize_t i
    for i in range(len(tag)):
        found[i] = _kinds.of(<str> tag[i])
    for i in inline:
        found[i] = found[i] & KEPT | PARTING | FLOWING
    for i in inline.union(hidden.concealed).intersection(hidden.tops):
        found[i] = found[i] & KEPT | PARTING | FLOWING | UNSHOWN
    return found


def read_runs(nodes, hidden):
    from scrapy_webtext.page.inline import find_inline
    from scrapy_webtext.page.text import Runs, _join_across

    if _kinds is None:
        _prepare()
    inline = find_inline(nodes, hidden.mask)
    cdef list tag = nodes.tag, parent = nodes.parent, node_end = nodes.end
    cdef list text = nodes.text, tail = nodes.tail
    cdef bytearray kinds = _kinds_of(tag, hidden, inline)
    cdef Py_ssize_t n = len(tag), i, current = -1, closes = -1, runs = 0
    cdef list first = untracked([]), end = untracked([0] * n), unshown = []
    cdef Reading to = Reading()
    cdef int kind, around_gap = BREAK, around_pre = 0
    cdef str around_blank = ""
    cdef object count = 0
    to.node, to.texts, to.preformatted = untracked([]), untracked([]), {}
    to.gaps, to.tags_before = untracked([]), untracked([])
    to.closed, to.gap, to.blank = hidden.closed, BREAK, ""
    # One turn more than there are nodes: the last closes what is still open.
    for i in range(n + 1):
        while current >= 0 and closes == i:
            kind = kinds[current]
            if kind & PARTING:
                if kind & FLOWING:
                    if kind & UNSHOWN:
                        to.gap, to.pre, to.blank = around_gap, around_pre, around_blank
                        unshown.append(range(first[current], len(to.node)))
                    if to.gap == JOINED and (
                        kind & APART or (current in inline and _begins_with_word(tail[current]))
                    ):
                        to.gap = SPACE
                else:
                    to.gap = BREAK
                    to.pre -= (kind & PREFORMATTED) != 0
                    to.blank = ""
            to.seen += not kind & (IS_COMMENT | IS_VOID)
            if runs != len(to.node):
                runs = len(to.node)
                count = number(runs)
            end[current] = count
            piece = tail[current]
            current = parent[current]
            if current >= 0:
                closes = node_end[current]
                if _has_chars(piece):
                    to.add(<str> piece, current)
        if i == n:
            break
        if runs != len(to.node):
            runs = len(to.node)
            count = number(runs)
        first.append(count)
        current = i
        closes = node_end[i]
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
        to.seen += not kind & IS_COMMENT
        piece = text[i]
        if _has_chars(piece):
            to.add(<str> piece, i)
    _join_across(to.gaps, unshown)
    return Runs(
        to.node, to.texts, to.gaps, to.tags_before, to.preformatted, first, end, inline
    )


cdef inline bint _has_chars(piece):
    return piece is not None and len(<str> piece) > 0


cdef bint _begins_with_word(piece):
    return piece is not None and (<str> piece)[:1].isalnum()


def read_blocks(runs, list containers, bytearray is_link, bytearray hidden):
    from scrapy_webtext.page.text import Blocks

    cdef list owner = runs.node, texts = runs.text, gaps = runs.gap
    cdef dict preformatted = runs.preformatted
    cdef list node = untracked([]), first = untracked([]), end = untracked([])
    cdef list text = untracked([]), chars = untracked([]), link_chars = untracked([])
    cdef set unshown = set()
    cdef Py_ssize_t n = len(owner), k = 0, last, i, length, all_chars, linked, around
    cdef bint is_shown
    while k < n and <int> gaps[k] != BREAK:
        k += 1
    while k < n:
        last = k + 1
        while last < n and <int> gaps[last] != BREAK:
            last += 1
        around = containers[<Py_ssize_t> owner[k]]
        is_shown = not hidden[<Py_ssize_t> owner[k]]
        if not is_shown and not hidden[around]:
            around = owner[k]
        all_chars = linked = 0
        for i in range(k, last):
            if i > k and is_shown and hidden[<Py_ssize_t> owner[i]]:
                unshown.add(i)
                continue
            length = len(<str> texts[i])
            all_chars += length
            if is_link[<Py_ssize_t> owner[i]]:
                linked += length
        node.append(number(around))
        first.append(number(k))
        end.append(number(last))
        text.append(_joined(k, last, texts, gaps, preformatted, unshown))
        chars.append(number(all_chars))
        link_chars.append(number(linked))
        k = last
    return Blocks(node, first, end, text, chars, link_chars, frozenset(unshown))


cdef str _joined(
    Py_ssize_t first, Py_ssize_t end, list texts, list gaps, dict preformatted, set without
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
        gap = gaps[k]
        if gap != JOINED:
            parts.append(" " if gap == SPACE else "\n")
        parts.append((preformatted.get(k) or texts[k]) if preformatted else texts[k])
    text = "".join(parts)
    return text.strip("\r\n").rstrip() if first in preformatted else text
