"""Scores of tokens, found by the characters of a text: no string is made of a token to look it up."""

from libc.string cimport memcmp

from scrapy_webtext.core.memory cimport zeros
from scrapy_webtext.core.characters cimport PyUnicode_1BYTE_DATA, PyUnicode_IS_ASCII

cdef enum:
    MAX_TABLES = 8
    MAX_CHARS = 30_000

#: Of the models in use.
cdef list _tables = []


cdef class TokenTable:
    """One or two numbers per token; tokens that are ASCII are found by their characters.

    ``key`` is the object that they are of.
    """

    def __cinit__(self, key, dict content not None, dict article not None):
        cdef list chars = []
        cdef Py_ssize_t slots = 16
        cdef Token* known
        cdef int begin = 0, number
        self.key, self._numbers = key, {}
        for token in (*content, *article):
            self._numbers.setdefault(token, len(self._numbers) + 1)
        self.count = len(self._numbers) + 1
        while slots < 2 * self.count:
            slots *= 2
        self._mask = slots - 1
        self._held = []
        self.tokens = <Token*> zeros(self._held, self.count * sizeof(Token))
        self._slots = <Slot*> zeros(self._held, slots * sizeof(Slot))
        for token, number in self._numbers.items():
            known = &self.tokens[number]
            known.content, known.article = content.get(token, 0.0), article.get(token, 0.0)
            known.is_of_article = token in article
            if type(token) is not str or not PyUnicode_IS_ASCII(token) or len(token) > MAX_CHARS:
                continue
            known.begin, known.size = begin, <short> len(token)
            begin += known.size
            chars.append(token.encode())
            self._add(wanted_text(token).hash, number)
        self._held_chars = b"".join(chars)
        self._chars = self._held_chars

    cdef int _add(self, uint64_t hash, int number) except -1:
        cdef uint64_t k = (hash >> 32) & self._mask
        while self._slots[k].number:
            k = (k + 1) & self._mask
        self._slots[k].mark, self._slots[k].number = <uint32_t> (hash >> 16), number
        return 0

    cdef int find(self, const Wanted* token) noexcept:
        """Return the number of a token of ASCII, from 1 on; 0 if it has no score."""
        cdef uint64_t k = (token.hash >> 32) & self._mask
        cdef const Token* known
        while self._slots[k].number:
            if self._slots[k].mark == <uint32_t> (token.hash >> 16):
                known = &self.tokens[self._slots[k].number]
                if known.size == token.size and memcmp(self._chars + known.begin, token.at, token.size) == 0:
                    return self._slots[k].number
            k = (k + 1) & self._mask
        return 0

    cdef void find_all(self, const Wanted* tokens, Py_ssize_t n, int* found) noexcept:
        """Write the number of each of ``n`` tokens, as `find` returns it.

        All are waited for at once: a table of thousands of tokens lies in no near cache.
        """
        cdef Py_ssize_t k
        for k in range(n):
            self.fetch(tokens[k].hash)
        for k in range(n):
            found[k] = self.find(&tokens[k])

    cdef int number_of(self, str token) except -1:
        """Return the number of any token, from 1 on; 0 if it has no score."""
        cdef Wanted wanted
        if PyUnicode_IS_ASCII(token) and len(token) <= MAX_CHARS:
            wanted = wanted_text(token)
            return self.find(&wanted)
        found = self._numbers.get(token)
        return 0 if found is None else found


cdef Wanted wanted_text(str token) noexcept:
    """Return a text of ASCII as a token to look up."""
    cdef Wanted wanted = Wanted(PyUnicode_1BYTE_DATA(token), len(token), HASH)
    cdef Py_ssize_t k
    for k in range(wanted.size):
        wanted.hash = mixed(wanted.hash, wanted.at[k])
    return wanted


cdef TokenTable table_of(key, content, article):
    """Return the table of what ``key`` says of tokens, which is made once."""
    cdef TokenTable table
    for known in _tables:
        table = known
        if table.key is key:
            return table
    if len(_tables) >= MAX_TABLES:
        _tables.clear()
    table = TokenTable(key, dict(content), dict(article))
    _tables.append(table)
    return table
