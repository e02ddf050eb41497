"""The P value of tags (Lv, Cao, Wang, Yin, Zheng 2017).

The main text is taken to be exactly the content of one element. What is surely not main text
is removed first: comments, a list of tags with all that they hold, three attributes. Then each
element has

* ``l_s``, the length of its HTML, markup included (definition 1);
* ``l_t``, the length of its text (definition 2);
* ``l_vt``, the length of its text outside links (definition 3);

and, with ``L_VT`` the text outside links of the whole page, the probability of being the main
text is ``P = (l_t / l_s) * (l_vt / L_VT)`` (eq. 1): mostly text inside, and most of the page's
text. The element with the greatest P is the main text; its P is the P value of the page
(definition 4), read as the probability that the page has an article at all.

=========  ======================================
lengths    step 1 and definitions 1 to 3
entities   characters as the source spells them
values     equation 1 and definition 4
extractor  the extractor and the judge
=========  ======================================
"""

from scrapy_webtext.extractors.pvalue.extractor import PValueExtractor, PValueJudge
from scrapy_webtext.extractors.pvalue.values import PValues, p_values

__all__ = ["PValueExtractor", "PValueJudge", "PValues", "p_values"]
