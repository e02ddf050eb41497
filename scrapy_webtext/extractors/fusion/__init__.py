"""``fusion``: boosted trees combine the signals of all papers with many other features.

Each published method uses one property of main text. The P value prefers an element that is mostly
text and has most of the page's text. Body text extraction prefers a sequence with many words and
few tags. Others use the length of lines or the density of links. Here all these properties are
features of a block, together with its tag, its containers, its neighbours, its template, the class
names above it and the structure of its page. From these features boosted trees compute the
probability that the block is content. A second pass also uses the probabilities that the first pass
gave to the surrounding blocks; a third pass gives all blocks of a unit (a table, a list) one
probability. The extractor chooses the blocks with the greatest expected F1. From
the same probabilities it computes the score of the text and the probability that the page is an
article.

The modules process a page in this order:

==============  ==================================================================
features        reads elements and blocks into tables and computes features
model           loads the trained model: forests, calibration
prediction      computes probabilities in three passes, and explanations
choose          chooses blocks: threshold, rules (copies, comments, teasers), options
extractor       makes the text (``fusion``) and judges the page (``learned``)
==============  ==================================================================
"""

from scrapy_webtext.extractors.fusion.extractor import FusionExtractor, LearnedJudge

__all__ = ["FusionExtractor", "LearnedJudge"]
