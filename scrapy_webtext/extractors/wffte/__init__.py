"""Web page multi-feature fusion text extraction, WFFTE (Wang, Wei).

The text of a page lies in containers: div, table and the like. Every container has a unique
path such as ``html/body/div[2]/div[1]``. How much speaks for a container as the main text is its
support ``SD = DSD * (TSD + PSD)`` (eq. 1), made of

* PSD (general): words outside links over words in links, times a step for punctuation;
* TSD (title): how often it says the two words of title and headings that the page says most;
* DSD (distance): how far from the title it stands, read off the numbers in its path.

Containers side by side that look the same are merged. The container with the greatest SD and
those of the best seven that lie near it on the tree are the main text, less copyright lines.

What a container holds can be read in two ways: all that is contained in it, the paper's words,
which suits pages made of many containers; or its own text, less that of containers inside it,
which suits an article in one container. By default the page decides (`content`).

=================  ==================================================================
container_tree     containers, their paths, distances (eqs. 2 and 6)
looks              which containers look the same (step 5)
title, common      title words (step 3)
content            what the containers hold (steps 2 and 3)
support            equations 1 and 3 to 5
findings           steps 5 to 8
extractor          the parameters, and the choice between the two ways
=================  ==================================================================
"""

from scrapy_webtext.extractors.wffte.extractor import WffteExtractor

__all__ = ["WffteExtractor"]
