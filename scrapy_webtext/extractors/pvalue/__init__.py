"""The P value of elements (Lv, Cao, Wang, Yin, Zheng 2017).

The method assumes that the main text is the content of one element. Step 1 removes what cannot be
main text: comments, a list of tags with their content, three attributes. Then each element has

* ``l_s``, the length of its HTML with markup (definition 1);
* ``l_t``, the length of its text (definition 2);
* ``l_vt``, the length of its text outside links (definition 3);

and, with ``L_VT``, the length of the text outside links of the whole page, the probability of being
the main text: ``P = (l_t / l_s) * (l_vt / L_VT)`` (eq. 1). P is great for an element that is mostly
text and holds most of the page's text. The element with the greatest P is the main text. Its P is
the P value of the page (definition 4), which estimates the probability that the page has an
article.

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
