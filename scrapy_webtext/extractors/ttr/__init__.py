"""The text-to-tag ratio (Weninger, Hsu 2008).

Of each line of a page's HTML, without scripts, comments and empty lines, the characters outside
tags are divided by the number of tags on it (by 1 where there are none; algorithm 1). Lines of
prose have hundreds of characters to a tag, lines of navigation a few. The ratios are smoothed,
each the mean over itself and two lines to either side (eq. 1), so that a short paragraph
between long ones stays and a lone advertisement goes. What is high is content; "high" is said
in units of the standard deviation of the ratios, in one of five ways.

Today's pages often come on one line, where a line says nothing: then the lines are taken to
break where blocks of text begin and end.

==========  ==============================================
ratios      algorithm 1 and eq. 1, from lines to ratios
clustering  section 4: five ways to tell content lines
extractor   the parameters, and the text of content lines
==========  ==============================================
"""

from scrapy_webtext.extractors.ttr.extractor import TextToTagRatioExtractor

__all__ = ["TextToTagRatioExtractor"]
