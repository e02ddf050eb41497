"""``fusion``: the papers' signals and all else a page tells, weighed by boosted trees.

Each published method reads one sign of main text: the P value an element that is mostly text
and most of the text, body text extraction a stretch with many words and few tags, others the
length of lines or the density of links. Here each block of text is described by all of them:
what it is, what its containers hold, what its neighbours are, how often its template repeats,
what the names of the elements around it have meant on other sites, and what kind of page it is
on. Boosted trees turn that into the probability that the block is content; blocks above a
threshold are the text. The probabilities also give the text's expected F1, and the same reading
of the page judges whether it is an article.
"""

from scrapy_webtext.extractors.fusion.extractor import FusionExtractor, LearnedJudge

__all__ = ["FusionExtractor", "LearnedJudge"]
