cimport cython
from cpython.array cimport array

from scrapy_webtext.core cimport arrays
from scrapy_webtext.core.arrays cimport Bytes, Doubles, Longs
from scrapy_webtext.core.distinct cimport DistinctTexts, DistinctTriples
from scrapy_webtext.core.texts cimport Texts
from scrapy_webtext.extractors.fusion.features.class_names cimport ClassNameScores
from scrapy_webtext.page.nodes cimport Attributes, Nodes

cdef int _NAMING, _CLASSES, _HIDING, _HIDDEN

@cython.locals(nodes=Nodes, attributes=Attributes, n=Py_ssize_t, kept_nodes=array, names=list, all_flags=array, depths=array, template_ids=array,
    sums=array, lows=array, highs=array, flags=Longs, depth=Longs, template_id=Longs, total=Doubles, low=Doubles, high=Doubles,
    own_flags=array, kinds=array, own_flag=Longs, kind=Longs, kept=Longs, parent=Longs, tag=Longs, first=Longs, values=Texts,
    distinct=DistinctTexts, classes=DistinctTexts, templates=DistinctTriples, joined=DistinctTriples, scored=_ScoredNames, j=Py_ssize_t,
    i=Py_ssize_t, k=Py_ssize_t, up=Py_ssize_t, flag=int, of_classes=int, naming=int, number=int, below=double, above=double)
cpdef element_table(page, bytearray excluded_nodes, ClassNameScores scores)

@cython.locals(column=array, n=Py_ssize_t, i=Py_ssize_t, kept=Longs, gone=Bytes, first=Longs, end=Longs)
cdef array _kept_nodes(page, bytearray excluded_nodes)


@cython.final
cdef class _ScoredNames:
    cdef list names, low, high
    cdef ClassNameScores _scores
    cdef Py_ssize_t _left

    cdef bint has(self, int number) except -1
    @cython.locals(names=str, more=Py_ssize_t, kind=Longs, k=Py_ssize_t)
    cdef read(self, int number, Texts values, array kinds, Py_ssize_t first, Py_ssize_t end)
    cdef list distinct(self)


@cython.locals(gone=Bytes, of_block=Longs, first_run=Longs, run_node=Longs, block_chars=Longs, block_links=Longs, block_text=list, closing=frozenset, some=array, numbers=array, text=list,
    n=Py_ssize_t, number=Longs, unspaced=bint, nodes=array, owners=array, all_words=array, all_chars=array, all_unlinked=array,
    densities=array, all_ends=array, all_prose=array, node=Longs, owner=Longs, words=Longs, chars=Longs, unlinked=Longs, density=Doubles,
    ends=Longs, prose=Longs, least=Py_ssize_t, most=double, b=Py_ssize_t, k=Py_ssize_t, one=str, length=Py_ssize_t, links=Py_ssize_t)
cpdef block_table(page, bytearray excluded_nodes)

cdef Py_ssize_t _marks(str text, bint unspaced) except -1

@cython.locals(made=array, sums=Longs, values=Longs, k=Py_ssize_t)
cdef array _summed(array column)

@cython.locals(column=array, run=Py_ssize_t, n=Py_ssize_t, k=Py_ssize_t, i=Py_ssize_t, at=Longs, number=Longs, first_run=Longs)
cdef array _blocks_at(array numbers, array first_runs, Py_ssize_t runs)

@cython.locals(k=Py_ssize_t, node=Longs, parent=Longs, container=Longs)
cpdef go_up(page, array nodes)
