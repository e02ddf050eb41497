"""Twin of ``extractors/fusion/features/short_texts.py``: the words of short texts, read from ASCII.

A text that is there twice is read twice, which costs less than to remember it.
"""

from libc.stdint cimport uint64_t

from scrapy_webtext.compiled.arrays cimport column
from scrapy_webtext.core.characters cimport PyUnicode_1BYTE_DATA, PyUnicode_IS_ASCII
from scrapy_webtext.compiled.token_table cimport HASH, TokenTable, Wanted, mixed, table_of

#: Longer texts have no tokens: no less than ``MAX_CHARS`` of the Python module. A text has at most
#: half as many words as characters, and is a token itself.
cdef enum:
    ROOM = 160


def score_texts(texts, token_scores):
    from scrapy_webtext.extractors.fusion.features import short_texts as python

    cdef list read = list(texts)
    cdef dict columns = {}
    cdef double* means = column(columns, "means", len(read))
    cdef double* lows = column(columns, "lows", len(read))
    article = score_into(read, token_scores, means, lows)
    return python.TextScores(columns["means"].tolist(), columns["lows"].tolist(), article)


cdef double score_into(list texts, token_scores, double* means, double* lows) except? -1:
    """Write mean and lowest score of each text; return the article score of their tokens."""
    from scrapy_webtext.extractors.fusion.features import short_texts as python

    cdef TokenTable table = table_of(token_scores, token_scores.content, token_scores.article)
    cdef bytearray is_seen = bytearray(table.count)
    cdef int found[ROOM + 1]
    cdef Py_ssize_t k, i, n, known = 0, max_words = python.MAX_WORDS, max_whole = python.MAX_WHOLE_WORDS
    cdef Py_ssize_t max_chars = min(python.MAX_CHARS, ROOM), prior = python.PRIOR_TOKENS
    cdef double total, low, score, of_article = 0.0
    cdef str text
    for k in range(len(texts)):
        text = <str?> texts[k]
        means[k] = lows[k] = 0.0
        if len(text) > max_chars:
            continue
        if PyUnicode_IS_ASCII(text):
            n = _read_ascii(text, table, max_words, max_whole, found)
        else:
            n = _read(text, table, max_words, max_whole, python.words_of, found)
        if not n:
            continue
        total = low = 0.0
        for i in range(n):
            score = table.tokens[found[i]].content
            total += score
            if score < low:
                low = score
            if not is_seen[found[i]]:
                is_seen[found[i]] = True
                if table.tokens[found[i]].is_of_article:
                    of_article += table.tokens[found[i]].article
                    known += 1
        means[k] = total / <double> n
        lows[k] = low
    return of_article / <double> (known + prior)


cdef Py_ssize_t _read_ascii(
    str text, TokenTable table, Py_ssize_t max_words, Py_ssize_t max_whole, int* found
) noexcept:
    """Write the numbers of the tokens, and return how many there are."""
    cdef unsigned char low[ROOM]
    cdef Wanted tokens[ROOM + 1]
    cdef Wanted whole = Wanted(&low[0], len(text), HASH)
    cdef const unsigned char* data = PyUnicode_1BYTE_DATA(text)
    cdef unsigned char char
    cdef Py_ssize_t k, begin = -1, blanks = 0, n = 0
    cdef uint64_t word = HASH
    for k in range(whole.size):
        char = data[k]
        if 65 <= char <= 90:
            char += 32
        low[k] = char
        whole.hash = mixed(whole.hash, char)
        if 97 <= char <= 122:
            if begin < 0:
                begin, word = k, HASH
            word = mixed(word, char)
            continue
        blanks += char == 32
        if begin >= 0:
            tokens[n] = Wanted(&low[begin], k - begin, word)
            begin, n = -1, n + 1
    if blanks >= max_words:
        return 0
    if begin >= 0:
        tokens[n] = Wanted(&low[begin], whole.size - begin, word)
        n += 1
    if 0 < blanks < max_whole:
        tokens[n] = whole
        n += 1
    table.find_all(tokens, n, found)
    return n


cdef Py_ssize_t _read(
    str text, TokenTable table, Py_ssize_t max_words, Py_ssize_t max_whole, words_of, int* found
) except -1:
    """Write the numbers of the tokens of any text, and return how many there are."""
    cdef Py_ssize_t blanks = text.count(" "), n = 0
    if blanks >= max_words:
        return 0
    low = text.lower()
    for word in words_of(low):
        found[n] = table.number_of(word)
        n += 1
    if 0 < blanks < max_whole:
        found[n] = table.number_of(low)
        n += 1
    return n
