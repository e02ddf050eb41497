"""Twin of ``extractors/fusion/features/page_features.py``: shares of a page's text, and counts."""

from cpython.array cimport array

from scrapy_webtext.compiled.arrays cimport as_integers, integer_at
from scrapy_webtext.page.nodes cimport Nodes

cdef enum Kind:
    IS_ARTICLE = 1
    IS_INPUT = 2
    IS_IMAGE = 4

cdef dict _kinds = {"article": 1, "input": 2, "textarea": 2, "select": 2, "img": 4}


cdef const double* _numbers(dict columns, str name, Py_ssize_t n) except? NULL:
    cdef array held = columns[name]
    if len(held) != n or held.typecode != "d":
        raise ValueError(f"{name} has {len(held)} values, not {n}")
    return held.data.as_doubles


cdef object _greatest(dict columns, str name, Py_ssize_t n, object default):
    cdef const double* numbers = _numbers(columns, name, n)
    cdef Py_ssize_t k, place = 0
    for k in range(n):
        if numbers[k] > numbers[place]:
            place = k
    return numbers[place] if n else default


def _shares(table):
    texts = table.texts
    cdef dict columns = table.columns
    cdef array unlinked_chars = as_integers(texts.unlinked_chars), chars = as_integers(texts.chars)
    cdef array prose = as_integers(texts.prose), ends = as_integers(texts.ends)
    cdef bytearray inside = table.is_prose_main
    cdef Py_ssize_t n = len(unlinked_chars), k, kind, unlinked, own_prose
    cdef Py_ssize_t of_p = 0, of_pre = 0, items = 0, cells = 0, short = 0, ended = 0
    cdef Py_ssize_t of_items = 0, items_prose = 0
    cdef Py_ssize_t main_unlinked = 0, main_chars = 0, main_prose = 0, main_blocks = 0
    cdef array unlinked_sums = as_integers(texts.unlinked_sums)
    cdef array chars_sums = as_integers(texts.chars_sums), prose_sums = as_integers(texts.prose_sums)
    cdef double all_unlinked = integer_at(unlinked_sums, n), all_chars = integer_at(chars_sums, n) or 1
    cdef double all_prose = integer_at(prose_sums, n) or 1, total = all_unlinked or 1, blocks = n or 1
    cdef const double* tag_class = _numbers(columns, "tag_class", n)
    cdef const double* repeated = _numbers(columns, "repeated_items", n)
    cdef const double* flags
    for k in range(n):
        kind = <Py_ssize_t> tag_class[k]
        unlinked = integer_at(unlinked_chars, k)
        own_prose = integer_at(prose, k)
        if kind == 1:
            of_p += unlinked
        elif kind == 3:
            of_pre += unlinked
        elif kind == 4:
            items += 1
        elif kind == 8 or kind == 9:
            cells += 1
        if unlinked < 60:
            short += unlinked
        ended += integer_at(ends, k)
        if repeated[k]:
            of_items += unlinked
            items_prose += own_prose
        if inside[k]:
            main_unlinked += unlinked
            main_chars += integer_at(chars, k)
            main_prose += own_prose
            main_blocks += 1
    cdef dict shares = {
        "page_link_density": 1 - all_unlinked / all_chars,
        "page_prose_ratio": integer_at(prose_sums, n) / total,
        "page_template_share": _greatest(columns, "template_unlinked", n, 0),
        "page_p_share": of_p / total,
        "page_pre_share": of_pre / total,
        "page_list_share": items / blocks,
        "page_cell_share": cells / blocks,
        "page_short_share": short / total,
        "page_sentence_share": ended / blocks,
        "page_item_share": of_items / total,
        "page_item_prose": items_prose / all_prose,
    }
    for name in ("article", "main", "nav", "footer", "figure", "table"):
        flags = _numbers(columns, f"in_{name}", n)
        unlinked = 0
        for k in range(n):
            if flags[k]:
                unlinked += integer_at(unlinked_chars, k)
        shares[f"page_in_{name}"] = unlinked / total
    shares["page_main_link_density"] = 1 - main_unlinked / <double> (main_chars or 1)
    shares["page_main_prose"] = main_prose / all_prose
    shares["page_main_blocks"] = main_blocks
    shares["page_main_mean"] = main_unlinked / <double> (main_blocks or 1)
    return shares


def _counts(page, table):
    texts = table.texts
    cdef dict columns = table.columns
    cdef Nodes nodes = <Nodes?> page.nodes
    cdef array kinds = nodes.kinds(_kinds)
    cdef list text = texts.text, lengths = sorted(texts.chars)
    cdef Py_ssize_t n = len(text), k, i, shown = 0, digits = 0, headings = 0
    cdef Py_ssize_t articles = 0, inputs = 0, images = 0
    cdef const double* tag_class = _numbers(columns, "tag_class", n)
    cdef int bits
    cdef str one
    for k in range(n):
        headings += tag_class[k] > 12
        one = <str> text[k]
        if len(one) < 80:
            shown += len(one)
            for i in range(len(one)):
                digits += u"0" <= one[i] <= u"9"
    for k in range(len(nodes.name)):
        bits = <int> kinds.data.as_longlongs[k]
        articles += bits & IS_ARTICLE != 0
        inputs += bits & IS_INPUT != 0
        images += bits & IS_IMAGE != 0
    return {
        "page_blocks": n,
        "page_unlinked": texts.unlinked_sums[n],
        "page_prose": texts.prose_sums[n],
        "page_p": table.p.page,
        "page_digits": digits / <double> (shown or 1),
        "page_headings": headings,
        "page_heading_ratio": headings / <double> (n or 1),
        "page_median_chars": lengths[len(lengths) // 2] if lengths else 0,
        "page_longest": max(texts.unlinked_chars, default=0),
        "page_prose_after_headline": _greatest(columns, "prose_from_headline", n, -1),
        "page_max_items": _greatest(columns, "repeated_items", n, 0),
        "page_max_template_count": _greatest(columns, "template_count", n, 0),
        "page_articles": articles,
        "page_inputs": inputs,
        "page_images": images,
        "page_is_unspaced": texts.is_unspaced,
    }
