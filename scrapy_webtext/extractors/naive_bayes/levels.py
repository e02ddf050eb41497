"""The features of a web block and their levels (Wang et al. 2013, sections 4.2 and 4.3)."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

#: Which characters are punctuation: the marks that end or part sentences, or quotation marks,
#: brackets and dashes as well.
Punctuation = Literal["all", "sentence"]

_ASCII: Final[dict[Punctuation, str]] = {"sentence": ",.;:!?", "all": ',.;:!?"()[]'}
_OTHER: Final[dict[Punctuation, str]] = {
    "sentence": "…，。；：！？、،؛؟۔।",
    "all": "…，。；：！？、،؛؟۔।“”„«»‹›「」『』《》〈〉（）【】〔〕—–·",
}


def count_punctuation(text: str, punctuation: Punctuation) -> int:
    """Return how many punctuation marks a text has, Latin, Chinese, Arabic or Indic.

    No apostrophes and hyphens, which stand within words.
    """
    marks = _ASCII[punctuation]
    if not text.isascii():
        marks += _OTHER[punctuation]
    return sum(map(text.count, marks))


class Levels(NamedTuple):
    """The four features of a web block, each as a level counted from 0."""

    unlinked_chars: int  #: < 20, < 40, < 60, < 80, < 100, from 100 on
    link_ratio: int  #: below 10 %, below 50 %, to 80 %, above
    punctuation_ratio: int  #: below 2 %, to 10 %, above
    paragraphs: int  #: none, 1 to 3, more


#: How many levels each feature has.
LEVEL_COUNTS: Final = Levels(6, 4, 3, 3)


class Counts(NamedTuple):
    """What a web block has of what its features are made of."""

    chars: int  #: textsum
    link_chars: int  #: linktextsum
    punctuation: int  #: puncsum
    paragraphs: int  #: psum

    @property
    def features(self) -> tuple[int, float, float, int]:
        """The features themselves, in the order of `Levels`; no links count as one character."""
        return (
            self.chars - self.link_chars,
            self.link_chars / self.chars,
            self.punctuation / (self.link_chars or 1),
            self.paragraphs,
        )

    @property
    def levels(self) -> Levels:
        """The features as levels (eqs. 2 and 3 and sections 4.3.1 to 4.3.4).

        Without punctuation the ratio of eq. 3 is 0, without links it is above every bound
        otherwise: 0/0 says nothing in the paper.
        """
        chars, links, marks, paragraphs = self
        if 2 * links < chars:
            link_ratio = 0 if 10 * links < chars else 1
        else:
            link_ratio = 2 if 5 * links <= 4 * chars else 3
        return Levels(
            min((chars - links) // 20, 5),
            link_ratio,
            0 if not marks or 50 * marks < links else 1 if 10 * marks <= links else 2,
            0 if not paragraphs else 1 if paragraphs <= 3 else 2,
        )
