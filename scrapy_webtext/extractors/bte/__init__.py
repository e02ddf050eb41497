"""Body text extraction (Finn, Kushmerick, Smyth 2001).

A page is read as one sequence of tokens, tags (``B_n = 1``) and words (``B_n = 0``). The number
of tags seen so far, drawn over the position, rises steeply where the page is navigation and
hardly at all where it is prose: the body is the plateau. Its ends i and j are put where most
tags lie outside and most words inside, that is where

    T(i, j) = sum(B_n, n < i) + sum(1 - B_n, i <= n <= j) + sum(B_n, n > j)

is greatest. The first and last sum are all tags less those inside, so T(i, j) is a constant plus
the sum of ``1 - 2 B_n`` from i to j, and the best i and j are the ends of the run of tokens with
the greatest sum, found in one pass. Since words come in runs between tags, the pass goes over
the page's pieces of text and no token is ever made.

=========  ===========================================================
tokens     words and tags of a page, of its tree or of its source
plateau    the ends with the greatest T(i, j), and further plateaus
extractor  the parameters; the text, links and pictures of the body
=========  ===========================================================
"""

from scrapy_webtext.extractors.bte.extractor import BodyTextExtractor

__all__ = ["BodyTextExtractor"]
