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
landmarks       menus, footers and the like, excluded before scoring
features        a table of features per block, and the features of the page
model, forest   the trained model; forests, calibration
prediction      both passes over the blocks, the article probability, explanations
expected_f1     the word F1 to expect of a choice of blocks
rules           copies, comments, teasers, the standfirst
select          from probabilities to chosen blocks
extractor       the extractor ``fusion`` and the judge ``learned``
==============  ==================================================================
"""

from scrapy_webtext.extractors.fusion.extractor import FusionExtractor, LearnedJudge

__all__ = ["FusionExtractor", "LearnedJudge"]
