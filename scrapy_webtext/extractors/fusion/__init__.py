"""``fusion``: the papers' signals and all else a page tells, weighed by boosted trees.

Each published method reads one sign of main text: the P value an element that is mostly text
and most of the text, body text extraction a run of many words and few tags, others the
length of lines or the density of links. Here each block of text is described by all of them:
what it is, what its containers hold, what its neighbours are, how often its template repeats,
what the names of the elements around it have meant on other sites, and how its page is built.
Boosted trees turn that into the probability that the block is content; a second pass is told what
the first made of the blocks around. The blocks that promise the best text together are the text.
The probabilities also give its expected F1, and judge whether the page is an article.
"""

from scrapy_webtext.extractors.fusion.extractor import FusionExtractor, LearnedJudge

__all__ = ["FusionExtractor", "LearnedJudge"]
