"""Twin of ``extractors/fusion/features/short_texts.py``: the words of short texts, read from ASCII."""

from cpython.unicode cimport PyUnicode_FromKindAndData

from scrapy_webtext.compiled.strings cimport PyUnicode_1BYTE_DATA, PyUnicode_IS_ASCII

#: Longer texts have no tokens: no less than ``MAX_CHARS`` of the Python module.
cdef enum:
    ROOM = 160


def score_texts(texts, token_scores):
    from scrapy_webtext.extractors.fusion.features import short_texts as python

    cdef list read = list(texts), means = [], lows = [], tokens
    cdef dict content = dict(token_scores.content) if type(token_scores.content) is not dict else token_scores.content
    cdef dict article = dict(token_scores.article) if type(token_scores.article) is not dict else token_scores.article
    cdef dict places = {}
    cdef set seen = set()
    cdef Py_ssize_t k, i, known = 0, max_words = python.MAX_WORDS, max_whole = python.MAX_WHOLE_WORDS
    cdef Py_ssize_t max_chars = min(python.MAX_CHARS, ROOM), blanks
    cdef double total, low, score, of_article = 0.0
    cdef str text
    for k in range(len(read)):
        text = <str?> read[k]
        found = places.get(text)
        if found is not None:
            means.append(means[<Py_ssize_t> found])
            lows.append(lows[<Py_ssize_t> found])
            continue
        places[text] = k
        total = low = 0.0
        tokens = None
        if len(text) <= max_chars:
            blanks = text.count(" ")
            if blanks < max_words:
                tokens = _tokens(text, 0 < blanks < max_whole, python.words_of)
        if not tokens:
            means.append(0.0)
            lows.append(0.0)
            continue
        for i in range(len(tokens)):
            found = content.get(tokens[i])
            score = 0.0 if found is None else <double> found
            total += score
            if score < low:
                low = score
            if tokens[i] not in seen:
                seen.add(tokens[i])
                found = article.get(tokens[i])
                if found is not None:
                    of_article += <double> found
                    known += 1
        means.append(total / <double> len(tokens))
        lows.append(low)
    return python.TextScores(means, lows, of_article / <double> (known + <Py_ssize_t> python.PRIOR_TOKENS))


cdef list _tokens(str text, bint is_token, words_of):
    """Return the words of a text of at most ``ROOM`` characters, and the text if it is a token."""
    cdef unsigned char low[ROOM]
    cdef const unsigned char* data
    cdef unsigned char char
    cdef Py_ssize_t k, n = len(text), begin = -1
    cdef list tokens = []
    if not PyUnicode_IS_ASCII(text):
        text = text.lower()
        tokens = words_of(text)
        if is_token:
            tokens.append(text)
        return tokens
    data = PyUnicode_1BYTE_DATA(text)
    for k in range(n):
        char = data[k]
        if 65 <= char <= 90:
            char += 32
        low[k] = char
        if 97 <= char <= 122:
            if begin < 0:
                begin = k
        elif begin >= 0:
            tokens.append(PyUnicode_FromKindAndData(1, low + begin, k - begin))
            begin = -1
    if begin >= 0:
        tokens.append(PyUnicode_FromKindAndData(1, low + begin, n - begin))
    if is_token:
        tokens.append(PyUnicode_FromKindAndData(1, low, n))
    return tokens
