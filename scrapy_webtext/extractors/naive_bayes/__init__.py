"""Naive Bayes over web blocks (Wang, Wang, Gao, Yu, Cui 2013).

A page falls into web blocks at its table, tr, td and div elements. Four things tell content from
the rest: content has more characters outside links, a smaller share of its characters in links,
more punctuation per character in links, and more <p>. Each is counted on labelled pages in a few
levels (6, 4, 3 and 3), once over content and once over everything else. A new block is content
if its levels together are at least as probable among content as among the rest, the four taken
to be independent: the product of the four probabilities given content (eq. 14) is no smaller
than the product given the rest (eq. 15). What is content, in page order, is the main text.

=========  =================================================
blocks     section 3, step 4: the page in web blocks
levels     sections 4.2 and 4.3: four features, their levels
odds       eqs. 4 to 15, from the counts of a model
extractor  the parameters, and which blocks are the text
=========  =================================================
"""

from scrapy_webtext.extractors.naive_bayes.extractor import NaiveBayesExtractor

__all__ = ["NaiveBayesExtractor"]
