"""Twin of ``extractors/fusion/features/tables.py``: columns over elements and over candidate blocks."""

cimport cython
from cpython.array cimport array, resize
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_KIND,
)

from scrapy_webtext.compiled import in_python
from scrapy_webtext.core.texts cimport Piece
from scrapy_webtext.page.nodes cimport Attributes
from scrapy_webtext.compiled.class_names cimport Scorer
from scrapy_webtext.compiled.arrays cimport (
    as_integers,
    integer_at,
    new_doubles,
    new_integers,
    untracked,
)
from scrapy_webtext.compiled.element_names cimport ElementNames
from scrapy_webtext.page.nodes cimport Nodes
from scrapy_webtext.core.characters cimport Char, PyUnicode_IS_ASCII

#: Bits of an attribute's name, in the order of the sets that `_kinds` is made of.
cdef enum Kind:
    IS_READ = 1
    IS_HIDING = 2
    IS_CLASS = 4

cdef dict _kinds = None


cdef struct Look:
    int up, tag, kind, number

#: Of this process alone: nobody can write a page whose looks lie in one slot.
cdef unsigned long long _KEY = <unsigned long long> <Py_ssize_t> hash("looks")


@cython.final
cdef class Looks:
    """Numbers of tags with their classes below others: a table of numbers, with no objects in it."""

    cdef bytearray _room
    cdef Look* _looks
    cdef size_t _mask
    cdef int _known

    def __cinit__(self, Py_ssize_t most):
        cdef size_t n = 16
        while n < 2 * <size_t> most:
            n *= 2
        self._room = bytearray(n * sizeof(Look))
        self._looks = <Look*> <char*> self._room
        self._mask = n - 1

    cdef int of(self, int up, int tag, int kind) noexcept:
        """Return the number of these three, from 1; at most ``most`` differ."""
        cdef unsigned long long mixed = (_KEY ^ <unsigned long long> up) * 0x9E3779B97F4A7C15ULL
        mixed = (mixed ^ (mixed >> 32) ^ <unsigned long long> tag) * 0xBF58476D1CE4E5B9ULL
        mixed = (mixed ^ (mixed >> 29) ^ <unsigned long long> kind) * 0x94D049BB133111EBULL
        cdef size_t slot = (mixed ^ (mixed >> 31)) & self._mask
        cdef Look* look = &self._looks[slot]
        while look.number:
            if look.up == up and look.tag == tag and look.kind == kind:
                return look.number
            slot = (slot + 1) & self._mask
            look = &self._looks[slot]
        self._known += 1
        look.up, look.tag, look.kind, look.number = up, tag, kind, self._known
        return self._known


def element_table(page, bytearray excluded_nodes not None, score):
    global _kinds
    from scrapy_webtext.extractors.fusion.features import tables

    if type(score) is not Scorer:
        return in_python("extractors.fusion.features.tables.element_table")(page, excluded_nodes, score)
    if _kinds is None:
        _kinds = {name: IS_READ for name in tables._CLASS_NAME_ATTRIBUTES}
        _kinds |= {name: IS_HIDING for name in tables._HIDING_ATTRIBUTES}
        _kinds["class"] |= IS_CLASS
    runs = page.runs
    cdef Nodes nodes = <Nodes?> page.nodes
    cdef Attributes table = nodes.attributes
    cdef array bits_of = table.kinds(_kinds)
    cdef long long* first_place = table.first.data.as_longlongs
    cdef Piece* piece
    cdef array first_run = as_integers(runs.first), end_run = as_integers(runs.end)
    cdef Py_ssize_t n = len(nodes.name), i, k, up, kept = 0, place
    cdef list names = untracked([""] * n), made = []
    cdef long long* kept_nodes = new_integers(made, n)
    # One more than there are nodes: a root's parent is -1, the last.
    cdef long long* flags = new_integers(made, n + 1)
    cdef long long* depth = new_integers(made, n + 1)
    cdef long long* template_id = new_integers(made, n + 1)
    cdef double* total = new_doubles(made, n + 1)
    cdef double* low = new_doubles(made, n + 1)
    cdef double* high = new_doubles(made, n + 1)
    cdef list flag_of = [tables.FLAGS.get(name, 0) for name in nodes.names]
    cdef int unseen = tables.HIDDEN_BY_ATTRIBUTE, flag, bits, kind, number
    cdef ElementNames own = ElementNames(score)
    cdef const unsigned char* value
    cdef double below, above
    for i in range(n):
        if integer_at(first_run, i) < integer_at(end_run, i) and not excluded_nodes[i]:
            kept_nodes[kept] = i
            kept += 1
    kept_nodes = _cut(made[0], kept)
    cdef Looks looks = Looks(kept)
    for k in range(kept):
        i = kept_nodes[k]
        up = nodes.parent.data.as_longlongs[i]
        if up < 0:
            up = n
        flag = flag_of[nodes.name.data.as_longlongs[i]]
        kind = 0
        own.begin()
        for place in range(<Py_ssize_t> first_place[i], <Py_ssize_t> first_place[i + 1]):
            bits = <int> bits_of.data.as_longlongs[place]
            piece = table.values.piece + place
            if bits & IS_READ:
                value = table.values.data + piece.begin
                own.join(value, piece.size)
                if bits & IS_CLASS:
                    kind = own.kind(value, piece.size)
            elif bits & IS_HIDING and tables._hides(table.names[table.name.data.as_longlongs[place]], table.values.at(place)):
                flag |= unseen
        flags[i] = flags[up] | flag
        depth[i] = depth[up] + 1
        template_id[i] = looks.of(<int> template_id[up], nodes.name.data.as_longlongs[i], kind)
        number = own.number()
        if not number:
            total[i], low[i], high[i] = total[up], low[up], high[up]
            continue
        names[i] = own.texts[number]
        below, above = own.scores[number].low, own.scores[number].high
        total[i] = total[up] + below + above
        low[i] = below if below < low[up] else low[up]
        high[i] = above if above > high[up] else high[up]
    return tables.ElementTable(made[0], names, own.distinct(), *made[1:])


cdef long long* _cut(array column, Py_ssize_t n) except? NULL:
    """Leave the first ``n`` values of a column, and return where they lie."""
    resize(column, n)
    return column.data.as_longlongs


def block_table(page, bytearray excluded_nodes not None):
    from scrapy_webtext.extractors.fusion.features import tables

    blocks, runs = page.blocks, page.runs
    cdef array block_node = as_integers(blocks.node), block_chars = as_integers(blocks.chars)
    cdef array block_links = as_integers(blocks.link_chars), run_node = as_integers(runs.node)
    cdef array first_run = as_integers(blocks.first_run)
    cdef list block_text = blocks.text, text = untracked([])
    cdef Py_ssize_t b, k, n = 0, length, links, marks = 0, blanks = 0, run, of_prose, next_run = 0
    cdef Py_ssize_t all_runs = len(run_node), least = tables.MIN_PROSE_CHARS
    cdef double most = tables.MAX_PROSE_LINK_DENSITY
    cdef bint is_unspaced, is_end
    cdef str one
    cdef frozenset closing = tables.SENTENCE_ENDS
    cdef list made = []
    cdef long long* numbers = new_integers(made, len(block_node))
    for b in range(len(block_node)):
        if not excluded_nodes[integer_at(block_node, b)]:
            numbers[n] = b
            text.append(block_text[b])
            n += 1
    numbers = _cut(made[0], n)
    is_unspaced = not _is_mostly_ascii(text) and tables.is_unspaced(text)
    # In the order of `BlockTable`.
    cdef long long* node = new_integers(made, n)
    cdef long long* owner = new_integers(made, n)
    cdef long long* words = new_integers(made, n)
    cdef long long* chars = new_integers(made, n)
    cdef long long* unlinked = new_integers(made, n)
    cdef double* density = new_doubles(made, n)
    cdef long long* ends = new_integers(made, n)
    cdef long long* prose = new_integers(made, n)
    cdef long long* unlinked_sums = new_integers(made, n + 1)
    cdef long long* chars_sums = new_integers(made, n + 1)
    cdef long long* prose_sums = new_integers(made, n + 1)
    cdef long long* at = new_integers(made, all_runs + 1)
    for k in range(n):
        b = numbers[k]
        one = <str> text[k]
        length, links = integer_at(block_chars, b), integer_at(block_links, b)
        run = integer_at(first_run, b)
        if is_unspaced:
            blanks = length - 1  # each character is a word
            length, links = 3 * length, 3 * links
            marks = one.count("，") + one.count("、") + 2 * one.count("。")
        else:
            _count(one, &blanks, &marks)
        density[k] = links / <double> length
        is_end = one[len(one) - 1] in closing
        of_prose = 0
        if length - links >= least and density[k] < most and (is_end or marks > 1):
            of_prose = length - links
        while next_run <= run:
            at[next_run] = k
            next_run += 1
        node[k], owner[k] = integer_at(block_node, b), integer_at(run_node, run)
        chars[k], words[k], unlinked[k] = length, blanks + 1, length - links
        ends[k], prose[k] = is_end, of_prose
        unlinked_sums[k + 1] = unlinked_sums[k] + length - links
        chars_sums[k + 1] = chars_sums[k] + length
        prose_sums[k + 1] = prose_sums[k] + of_prose
    for run in range(next_run, all_runs + 1):
        at[run] = n
    return tables.BlockTable(is_unspaced, *made[:3], text, *made[3:])


cdef bint _is_mostly_ascii(list text) except -1:
    """Whether four fifths of the sample that `is_unspaced` looks at are ASCII."""
    cdef Py_ssize_t step = 1 + len(text) // 1000, left = 20_000, k = 0, i, n, seen = 0, plain = 0
    cdef str one
    while k < len(text) and left > 0:
        one = <str> text[k]
        n = min(len(one), left)
        if PyUnicode_IS_ASCII(one):
            plain += n
        else:
            for i in range(n):
                plain += one[i] < 128
        seen += n
        left -= n
        k += step
    return plain > 0.8 * seen


cdef void _count(str text, Py_ssize_t* blanks, Py_ssize_t* marks):
    """Count the spaces of a text, and of these the ones after a comma, and twice those after a full stop."""
    cdef const void* data = PyUnicode_DATA(text)
    if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
        _count_in(<const unsigned char*> data, len(text), blanks, marks)
    elif PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND:
        _count_in(<const unsigned short*> data, len(text), blanks, marks)
    else:
        _count_in(<const unsigned int*> data, len(text), blanks, marks)


cdef void _count_in(const Char* data, Py_ssize_t n, Py_ssize_t* blanks, Py_ssize_t* marks) noexcept:
    """Do so in a loop that C compilers make wide."""
    cdef unsigned int spaces = n > 0 and data[0] == 32, commas = 0, stops = 0
    cdef Py_ssize_t k
    for k in range(1, n):
        spaces += data[k] == 32
        commas += (data[k] == 32) & (data[k - 1] == 44)
        stops += (data[k] == 32) & (data[k - 1] == 46)
    blanks[0] = spaces
    marks[0] = commas + 2 * stops
