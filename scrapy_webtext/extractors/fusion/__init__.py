"""``fusion``: the signals of all papers, and many more, combined by boosted trees.

Each published method uses one property of main text. The P value prefers an element that is
mostly text and holds most of the page's text; body text extraction prefers a run of many words
and few tags; others use the length of lines or the density of links. Here all of them are features
of a block, together with its tag, its containers, its neighbours, its template, the class names
around it and the structure of its page. Boosted trees compute from these features the probability
that the block is content. A second pass also knows the first pass' probabilities of the blocks
around it. The extractor chooses the blocks with the greatest expected F1; the same probabilities
give the score of the text and the judgement whether the page is an article.

A page flows through the folder in this order:

==============  ==================================================================
features        tables of elements and blocks without menus and footers; features from them
model           the trained model: forests, calibration
prediction      three passes over the blocks, the article probability, explanations
rules           copies, comments, teasers, the standfirst
extractor       from probabilities to chosen blocks: ``fusion``; the judge ``learned``
==============  ==================================================================
"""

from scrapy_webtext.extractors.fusion.extractor import FusionExtractor, LearnedJudge

__all__ = ["FusionExtractor", "LearnedJudge"]
