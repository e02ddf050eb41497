"""The extractor, the judge and the threshold where nobody names one."""

from __future__ import annotations

from typing import Final

DEFAULT_EXTRACTOR: Final = "fusion"
DEFAULT_JUDGE: Final = "pvalue"
#: Probability, or P value, from which a page has an article.
DEFAULT_THRESHOLD: Final = 0.5
