"""What a feature of a block says, as a sentence about the block, by the feature's name.

The values of `fusion`'s and `naive_bayes`' features are numbers that mean nothing to a reader:
"half_steps 0" is "it stands in the element that holds half of the page's prose". A feature that is
not here, as of an extractor of one's own, is named with its number.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Final

from scrapy_webtext.lab.report.phrases import (
    Sentence,
    away,
    by_level,
    count,
    either,
    is_of,
    log_odds,
    number,
    plain,
    probability,
    scores,
    share,
    steps,
    unless,
)


def sentence(feature: str, value: float) -> str:
    """Return what the value says; the name and the number where nobody wrote a sentence."""
    known = SENTENCES.get(feature)
    if known and isfinite(value):
        return known(value)
    return f"{feature.replace('_', ' ')} {value:.3g}"


def _prose_from_headline(value: float) -> str:
    if value == -1:
        return "the page has no headline"
    side = "before" if value < 0 else "after"
    return f"it stands {plain(abs(value))} characters of prose {side} the headline"


def _runs_per_word(value: float) -> str:
    if value <= 0:
        return "its markup does not divide it"
    return f"its markup divides it into pieces of {plain(1 / value)} words"


_BEST: Final = "the element with the greatest P value"
_HALF: Final = "the element that holds half of the page's prose"
_MOST: Final = "the element that holds most of the page's prose"
_OUTSIDE: Final = "characters outside links"
_PAGE_TEXT: Final = "of the page's text outside links"

SENTENCES: Final[Mapping[str, Sentence]] = {
    # The block itself.
    "chars": count("it has 1 character", "it has {} characters"),
    "unlinked_chars": number("it has {} " + _OUTSIDE),
    "link_density": share("{} of it are links"),
    "ends_sentence": either("it ends as sentences do", "it does not end as sentences do"),
    "tag_class": is_of("it"),
    "runs_per_word": _runs_per_word,
    "word_chars": number("its words have {} characters on average"),
    "copies": count("its text stands once on the page", "its text stands {} times on the page"),
    # Where it stands.
    **{
        f"in_{tag}": either(f"it stands in <{tag}>", f"it does not stand in <{tag}>")
        for tag in ("nav", "footer", "aside", "article", "main", "figure", "table")
    },
    "is_hidden_by_attribute": either("an attribute hides it", "no attribute hides it"),
    "depth": number("it stands {} elements deep"),
    "class_score_sum": scores("the class names of all elements around it"),
    "class_score_own": scores("the class names of its own element"),
    "class_score_low": scores("the worst class names around it"),
    "class_score_high": scores("the best class names around it"),
    "class_score_near": scores("the class names close around it"),
    "class_score_middle": scores("the class names further up around it"),
    "best_steps": steps(_BEST),
    "best_distance": away(_BEST),
    "half_steps": steps(_HALF),
    "half_distance": away(_HALF),
    "most_steps": steps(_MOST),
    "most_distance": away(_MOST),
    "plateau_distance": away("the stretch with many words and few tags"),
    "dense_distance": away("the stretch with much text and few links"),
    # Its containers.
    "p": probability("the P value of its element is {}"),
    **by_level("p", lambda place: probability(f"the P value of {place} is {{}}")),
    **by_level("unlinked_share", lambda place: share(f"{place} holds {{}} {_PAGE_TEXT}")),
    **by_level("prose_share", lambda place: share(f"{place} holds {{}} of the page's prose")),
    **by_level(
        "mean_unlinked",
        lambda place: number(f"the blocks of {place} have {{}} {_OUTSIDE} on average"),
    ),
    **by_level("link_density", lambda place: share(f"{{}} of {place} are links")),
    **by_level(
        "blocks", lambda place: count(f"{place} holds 1 block", f"{place} holds {{}} blocks")
    ),
    # Blocks that are made alike: the same tags and classes.
    "template_count": count(
        "no other block has its tags and classes", "{} blocks have its tags and classes"
    ),
    "template_unlinked": share("the blocks like it hold {} " + _PAGE_TEXT),
    "template_prose": share("the blocks like it hold {} of the page's prose"),
    "template_mean": number("the blocks like it have {} " + _OUTSIDE + " on average"),
    "template_sentences": share("{} of the blocks like it end as sentences do"),
    "template_start": share("{} of the page's prose stands before the first block like it"),
    "parent_template_count": count(
        "no other container is like its own", "{} containers are like its own"
    ),
    "parent_template_unlinked": share("the containers like its own hold {} " + _PAGE_TEXT),
    "repeated_items": unless(
        0, "it stands in no list of like items", number("its list repeats {} times")
    ),
    "item_prose": unless(
        -1,
        "it stands in no list of like items",
        number("its item of the list has {} characters of prose"),
    ),
    "items_unlinked": share("the items of its list hold {} " + _PAGE_TEXT),
    "items_prose": share("the items of its list hold {} of the page's prose"),
    "prose_before_items": unless(
        -1,
        "it stands in no list of like items",
        share("{} of the page's prose stands before its list"),
    ),
    # What is around it.
    "smoothed_unlinked": lambda value: (
        f"it and the blocks beside it have {plain(round(value / 9))} {_OUTSIDE} on average"
    ),
    "next_unlinked": number("the next block has {} " + _OUTSIDE),
    "next_tag_class": is_of("the next block"),
    "window_unlinked": number("it and eight blocks on each side have {} " + _OUTSIDE),
    "window_link_density": share("{} of it and of eight blocks on each side are links"),
    "unlinked_position": share("{} " + _PAGE_TEXT + " stands before it"),
    "prose_position": share("{} of the page's prose stands before it"),
    "prose_left": number("{} characters of prose follow it"),
    "section_unlinked": number("the text under its heading has {} " + _OUTSIDE),
    "section_blocks": count(
        "its heading has 1 block, with itself", "its heading has {} blocks, with itself"
    ),
    "section_link_density": share("{} of the text under its heading are links"),
    "since_heading": unless(
        0,
        "it is a heading, or the first block",
        count("it stands right below a heading", "it stands {} blocks below a heading"),
    ),
    "heading_level": unless(
        0, "no heading stands above it", number("the heading above it is of level {}")
    ),
    "title_similarity": share("it and the page's title have {} of their words in common"),
    "from_headline": unless(999, "the page has no headline", away("the headline")),
    "prose_from_headline": _prose_from_headline,
    "token_score_mean": scores("its words"),
    "token_score_low": scores("its worst words"),
    "token_score_window": scores("the words of the short texts around it"),
    "token_score_template": scores("the words of the blocks like it"),
    # What the first pass made of it and of what is around it.
    "first_score": log_odds("the first pass gave it {}"),
    "first_before_2": probability("the first pass gave {} to the last block but one"),
    "first_before": probability("the first pass gave {} to the block before it"),
    "first_after": probability("the first pass gave {} to the block after it"),
    "first_after_2": probability("the first pass gave {} to the next block but one"),
    "first_template": probability("the first pass gave {} to the blocks like it"),
    "template_words": number("the blocks like it have {} words"),
    "first_container": probability("the first pass gave {} to the blocks of its container"),
    "container_words": number("its container has {} words"),
    "first_window_2": probability("the first pass gave {} to it and two blocks on each side"),
    "first_window_6": probability("the first pass gave {} to it and six blocks on each side"),
    "first_position": share("{} of the text that is expected stands before it"),
    "since_likely": unless(
        99,
        "no likely text stands before it",
        unless(
            0,
            "it is likely text itself",
            count("likely text stands right before it", "likely text ended {} blocks before it"),
        ),
    ),
    "until_likely": unless(
        99,
        "no likely text follows it",
        unless(
            0,
            "it is likely text itself",
            count("likely text stands right after it", "likely text begins {} blocks after it"),
        ),
    ),
    # The page.
    "page_link_density": share("{} of the page are links"),
    "page_prose_ratio": share("{} " + _PAGE_TEXT + " is prose"),
    "page_template_share": share("the largest group of like blocks holds {} " + _PAGE_TEXT),
    "page_p_share": share("{} " + _PAGE_TEXT + " stands in <p>"),
    "page_pre_share": share("{} " + _PAGE_TEXT + " is preformatted"),
    "page_list_share": share("{} of the page's blocks are items of lists"),
    "page_cell_share": share("{} of the page's blocks are cells of tables"),
    "page_short_share": share("{} " + _PAGE_TEXT + " stands in short blocks"),
    "page_sentence_share": share("{} of the page's blocks end as sentences do"),
    "page_item_share": share("{} " + _PAGE_TEXT + " stands in lists of like items"),
    "page_item_prose": share("{} of the page's prose stands in lists of like items"),
    **{
        f"page_in_{tag}": share(f"{{}} {_PAGE_TEXT} stands in <{tag}>")
        for tag in ("article", "main", "nav", "footer", "figure", "table")
    },
    "page_main_link_density": share("{} of the element with half of the prose are links"),
    "page_main_prose": share("{} of the page's prose stands in one element"),
    "page_main_blocks": number("the element with half of the prose has {} blocks"),
    "page_main_mean": number(
        "the blocks of the element with half of the prose have {} " + _OUTSIDE + " on average"
    ),
    "page_blocks": number("the page has {} blocks"),
    "page_unlinked": number("the page has {} " + _OUTSIDE),
    "page_prose": number("the page has {} characters of prose"),
    "page_p": probability("the P value of the page is {}"),
    "page_digits": share("{} of the page's short texts are digits"),
    "page_headings": number("the page has {} headings"),
    "page_heading_ratio": share("{} of the page's blocks are headings"),
    "page_median_chars": number("half of the page's blocks have {} characters or fewer"),
    "page_longest": number("the page's longest block has {} " + _OUTSIDE),
    "page_prose_after_headline": unless(
        -1,
        "the page has no headline",
        number("{} characters of the page's prose follow the headline"),
    ),
    "page_max_items": number("the page's longest list has {} like items"),
    "page_max_template_count": number("the page has {} blocks of one kind"),
    "page_articles": number("the page has {} elements <article>"),
    "page_inputs": number("the page has {} fields to fill in"),
    "page_images": number("the page has {} pictures"),
    "page_is_unspaced": either(
        "the page's script has no spaces between words", "the page's script has spaces"
    ),
    "expected_words": number("the first pass expects {} words of text on the page"),
    "expected_share": share("the first pass expects {} of the page's words to be text"),
    "likely_share": share("{} of the page's words are likely text"),
    "expected_variance": probability("the first pass is unsure of the page by {}"),
    "most_likely": probability("the first pass gave {} to the page's best block"),
    "sure_words": number("{} of the page's words are surely text"),
    "first_threshold": probability("the first pass' threshold is {}"),
    # Of naive Bayes: its blocks may hold several of ours.
    "link_ratio": share("{} of it are links"),
    "punctuation_ratio": number("it has {} punctuation marks to each character in links"),
    "paragraphs": count("it has 1 paragraph", "it has {} paragraphs"),
}
