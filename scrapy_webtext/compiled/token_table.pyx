"""Scores of tokens, found by the characters of a text: no string is made of a token to look it up."""

from scrapy_webtext.compiled.strings cimport PyUnicode_1BYTE_DATA, PyUnicode_IS_ASCII

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
        cdef Py_ssize_t slots = 16, k
        cdef Token* known
        cdef uint64_t hash
        cdef int begin = 0, number
        self.key, self._numbers = key, {}
        for token in (*content, *article):
            self._numbers.setdefault(token, len(self._numbers) + 1)
        self.count = len(self._numbers) + 1
        while slots < 2 * self.count:
            slots *= 2
        self._mask = slots - 1
        self._held_tokens = bytes(self.count * sizeof(Token))
        self._held_slots = bytes(slots * sizeof(Slot))
        self.tokens = <Token*> <char*> self._held_tokens
        self._slots = <Slot*> <char*> self._held_slots
        for token, number in self._numbers.items():
            known = &self.tokens[number]
            known.content, known.article = content.get(token, 0.0), article.get(token, 0.0)
            known.is_of_article = token in article
            if type(token) is not str or not PyUnicode_IS_ASCII(token) or len(token) > MAX_CHARS:
                continue
            known.begin, known.size = begin, <short> len(token)
            begin += known.size
            chars.append(token.encode())
            hash = HASH
            for k in range(known.size):
                hash = mixed(hash, <unsigned char> (<bytes> chars[len(chars) - 1])[k])
            self._add(hash, number)
        self._held_chars = b"".join(chars)
        self._chars = self._held_chars

    cdef int _add(self, uint64_t hash, int number) except -1:
        cdef uint64_t k = (hash >> 32) & self._mask
        while self._slots[k].number:
            k = (k + 1) & self._mask
        self._slots[k].mark, self._slots[k].number = <uint32_t> (hash >> 16), number
        return 0

    cdef int number_of(self, str token) except -1:
        """Return the number of any token, from 1 on; 0 if it has no score."""
        cdef const unsigned char* chars
        cdef uint64_t hash = HASH
        cdef Py_ssize_t k, n = len(token)
        if PyUnicode_IS_ASCII(token) and n <= MAX_CHARS:
            chars = PyUnicode_1BYTE_DATA(token)
            for k in range(n):
                hash = mixed(hash, chars[k])
            return self.find(chars, n, hash)
        found = self._numbers.get(token)
        return 0 if found is None else found


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
