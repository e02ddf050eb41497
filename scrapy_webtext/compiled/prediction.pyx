"""Twin of ``extractors/fusion/prediction.py``: blocks go from columns to the trees without tuples."""

from cpython.array cimport array, clone

from scrapy_webtext.compiled import in_python
from scrapy_webtext.compiled.forest cimport Walker
from scrapy_webtext.compiled.page_trees cimport PageTrees

cdef array _ONE = array("d")


def block_probabilities(forest, columns, constants):
    from scrapy_webtext.extractors.fusion.trees.forest import MAX_ROWS
    from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES

    cdef Py_ssize_t n = len(columns[BLOCK_FEATURES[0]]), k
    if n > MAX_ROWS or type(forest.score) is not Walker or not (<Walker> forest.score).has_leaf_bits:
        return in_python("extractors.fusion.prediction.block_probabilities")(forest, columns, constants)
    cdef Walker walker = forest.score
    cdef array same = clone(_ONE, walker.features, True)
    cdef bytearray is_constant = bytearray(walker.features)
    cdef list differing = []
    for k, name in enumerate(forest.features):
        column = columns.get(name)
        if column is None:
            same.data.as_doubles[k], is_constant[k] = constants[name], True
        elif len(column) != n:
            raise ValueError(f"{name} has {len(column)} values, not {n}")
        else:
            differing.append(column)
    cdef PageTrees trees = _trees_of(walker, forest, bytes(is_constant))
    probabilities = trees.probabilities(differing, n, same.data.as_doubles)
    walker.page_trees = trees
    return probabilities


cdef PageTrees _trees_of(Walker walker, forest, bytes is_constant):
    """Take the trees of the last page, unless another thread has them, or other features were constant."""
    cdef PageTrees trees = walker.page_trees
    walker.page_trees = None
    if trees is None or trees.is_constant != is_constant:
        return PageTrees(walker, forest.trees, is_constant)
    return trees
