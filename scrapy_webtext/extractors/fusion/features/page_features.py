# cython: infer_types=True
"""Features of a page as a whole.

The forests of blocks use only the features of the page's structure; the article classifier uses all
features.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import compress
from math import fsum
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.extractors.fusion.features.block_features import FeatureTable
from scrapy_webtext.extractors.fusion.features.declared import (
    BAG_FEATURES,
    URL_FEATURES,
    bag_scores,
    meta_fields,
    structured_data,
    url_features,
)
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns
from scrapy_webtext.extractors.fusion.features.units import LIKELY
from scrapy_webtext.page import Page

#: Name of a feature -> pattern of the types of JSON-LD.
_TYPES: Final = {
    "article": re.compile(r"\A(?:\w*Article|BlogPosting|Report\w*|\w+Review)"),
    "product": re.compile(r"(?:Product|Offer|AggregateOffer)\w*"),
    "list": re.compile(r"ItemList|CollectionPage"),
    "forum": re.compile(r"DiscussionForumPosting|QAPage|Question"),
}
_PUBLISHED: Final = frozenset(
    "article:published_time article:modified_time datepublished pubdate date "
    "publish-date publishdate".split()
)
#: The mean article score of the tokens of short texts.
TOKEN_FEATURES: Final = ("token_score_article",)

#: Features that show that a page declares itself an article.
CLAIMS: Final = ("og_type", "is_published", "ld_article", "page_articles")

#: Features of elements and lengths of text, which do not depend on the language.
STRUCTURE_FEATURES: Final = tuple(
    """
    page_link_density page_prose_ratio page_template_share page_p_share page_pre_share
    page_list_share
    page_cell_share page_short_share page_sentence_share page_item_share page_item_prose
    page_in_article page_in_main page_in_nav page_in_footer page_in_figure page_in_table
    page_main_link_density page_main_prose page_main_blocks page_main_mean
    page_blocks page_unlinked page_prose page_p page_digits page_headings page_heading_ratio
    page_median_chars page_longest page_prose_after_headline page_max_items page_max_template_count
    page_articles page_inputs page_images page_is_unspaced
    """.split()
)
#: Features of links and prose. On a front page each teaser is next to a link; entries of an
#: encyclopedia have many links within a paragraph.
LINK_FEATURES: Final = ("page_near_links", "page_prose_run", "page_prose_links")
#: A block with at least this link density and length (characters) is a link, such as a headline.
LINK_DENSITY: Final = 0.8
LINK_CHARS: Final = 15
#: A link is next to prose if it is at most this many blocks away.
LINK_REACH: Final = 4
#: Features of <meta> elements and JSON-LD.
METADATA_FEATURES: Final = tuple(
    "og_type is_published ld_article ld_product ld_list ld_forum".split()
)
#: Names of all features of a page, in the order of the training matrix.
PAGE_FEATURES: Final = (
    *STRUCTURE_FEATURES,
    *LINK_FEATURES,
    *METADATA_FEATURES,
    *TOKEN_FEATURES,
    *BAG_FEATURES,
    *URL_FEATURES,
)


#: Feature -> its greatest value, near the 90 % quantile of labelled pages. So a longer page is like
#: the long ones of the training.
LIMITS: Final[Mapping[str, float]] = {
    "page_main_blocks": 100,
    "page_main_mean": 500,
    "page_blocks": 250,
    "page_unlinked": 15_000,
    "page_prose": 12_000,
    "page_headings": 40,
    "page_median_chars": 100,
    "page_longest": 2_000,
    "page_articles": 10,
    "page_inputs": 30,
    "page_images": 60,
    "page_prose_run": 8_000,
    "page_prose_links": 5,
}
JUDGE_LIMITS: Final = {"likely_words": 2_000, "likely_rows": 10, "likely_items": 50}


def page_features(page: Page, table: FeatureTable, terms: TokenTable) -> dict[str, float]:
    """Return the features of a page by name, including the features of its URL.

    ``terms`` has the weights of terms in the bag of words.
    """
    found = {
        **_shares(table.texts, table.columns, table.is_prose_main),
        **_counts(table),
        **_links(page, table.texts),
        **_metadata(page),
        "token_score_article": table.article_token_score,
        **bag_scores(page, table, terms),
        **url_features(page.url),
    }
    return within_limits(found, LIMITS)


def within_limits(found: dict[str, float], limits: Mapping[str, float]) -> dict[str, float]:
    """Return the features; values above the limits are replaced by the limits."""
    return {**found, **{name: min(found[name], most) for name, most in limits.items()}}


def without_claims(features: Mapping[str, float]) -> dict[str, float]:
    """Return the features that the page would have if it did not declare itself an article.

    Any page can have such metadata, class names and titles, so they are not enough for an article.
    """
    bag_scores = {name: min(0.0, features[name]) for name in BAG_FEATURES}
    return {**features, **dict.fromkeys(CLAIMS, 0.0), **bag_scores}


def without_url(features: Mapping[str, float]) -> dict[str, float]:
    """Return the features that the page would have if its URL were unknown."""
    return {**features, **dict.fromkeys(URL_FEATURES, -1.0)}


def _shares(texts: BlockTable, columns: Columns, is_prose_main: bytearray) -> dict[str, float]:
    """Return shares of the page's characters outside links, of its prose, and of its blocks."""
    n, unlinked, inside = texts.n, texts.unlinked_chars, arrays.octets(is_prose_main)
    kind = arrays.doubles(columns["tag_class"])
    repeated = arrays.doubles(columns["items_count"])
    of_p = of_pre = items = cells = short = ended = of_items = items_prose = 0
    main_unlinked = main_chars = main_prose = main_blocks = 0
    for k in range(n):
        if kind[k] == 1:
            of_p += unlinked[k]
        elif kind[k] == 3:
            of_pre += unlinked[k]
        elif kind[k] == 4:
            items += 1
        elif kind[k] == 8 or kind[k] == 9:
            cells += 1
        if unlinked[k] < 60:
            short += unlinked[k]
        ended += texts.ends[k]
        if repeated[k]:
            of_items += unlinked[k]
            items_prose += texts.prose[k]
        if inside[k]:
            main_unlinked += unlinked[k]
            main_chars += texts.chars[k]
            main_prose += texts.prose[k]
            main_blocks += 1
    all_unlinked, all_chars = float(texts.unlinked_sums[n]), float(texts.chars_sums[n])
    all_prose, blocks, total = float(texts.prose_sums[n]), float(n or 1), all_unlinked or 1.0
    return {
        "page_link_density": 1 - all_unlinked / (all_chars or 1.0),
        "page_prose_ratio": all_prose / total,
        "page_template_share": max(columns["template_unlinked_share"], default=0.0),
        "page_p_share": of_p / total,
        "page_pre_share": of_pre / total,
        "page_list_share": items / blocks,
        "page_cell_share": cells / blocks,
        "page_short_share": short / total,
        "page_sentence_share": ended / blocks,
        "page_item_share": of_items / total,
        "page_item_prose": items_prose / (all_prose or 1.0),
        **{
            f"page_{name}": sum(compress(texts.columns["unlinked_chars"], columns[name])) / total
            for name in ("in_article", "in_main", "in_nav", "in_footer", "in_figure", "in_table")
        },
        "page_main_link_density": 1 - main_unlinked / float(main_chars or 1),
        "page_main_prose": main_prose / (all_prose or 1.0),
        "page_main_blocks": main_blocks,
        "page_main_mean": main_unlinked / float(main_blocks or 1),
    }


def _counts(table: FeatureTable) -> dict[str, float]:
    texts, columns, headings = table.texts, table.columns, 0
    n, kinds = texts.n, arrays.doubles(columns["tag_class"])
    for k in range(n):
        headings += 1 if kinds[k] > 12 else 0
    lengths, digits, shown = sorted(texts.columns["chars"]), 0, 0
    for text in texts.text:
        if len(text) < 80:
            shown += len(text)
            for char in text:
                digits += 1 if "0" <= char <= "9" else 0
    _, articles, inputs, images = table.elements.counts
    return {
        "page_blocks": n,
        "page_unlinked": texts.unlinked_sums[n],
        "page_prose": texts.prose_sums[n],
        "page_p": table.p.page,
        "page_digits": digits / float(shown or 1),
        "page_headings": headings,
        "page_heading_ratio": headings / float(n or 1),
        "page_median_chars": lengths[len(lengths) // 2] if lengths else 0,
        "page_longest": max(texts.columns["unlinked_chars"], default=0),
        "page_prose_after_headline": max(columns["prose_from_headline"], default=-1.0),
        "page_max_items": max(columns["items_count"], default=0.0),
        "page_max_template_count": max(columns["template_count"], default=0.0),
        "page_articles": articles,
        "page_inputs": inputs,
        "page_images": images,
        "page_is_unspaced": texts.is_unspaced,
    }


def _links(page: Page, texts: BlockTable) -> dict[str, float]:
    """Return the share of prose next to links, the mean run of prose, and the links in prose.

    A run is a series of blocks of prose without a link between them; its length is in characters.
    The links in prose are the mean number of linked pieces of text per block of prose.
    """
    node, is_link, prose = arrays.longs(page.runs.node), arrays.octets(page.is_link), texts.prose
    linked, least, reach = LINK_DENSITY, LINK_CHARS, LINK_REACH
    total = near = waiting = blocks = runs = inside = 0
    last_prose = last_link = -1
    for k in range(texts.n):
        if prose[k]:
            is_near = last_link > last_prose and k - last_link <= reach
            runs += 1 if last_link > last_prose or not blocks else 0
            near += prose[k] if is_near else 0
            waiting = 0 if is_near else prose[k]
            total += prose[k]
            blocks += 1
            for r in range(texts.first_run[k], texts.end_run[k]):
                inside += 1 if is_link[node[r]] else 0
            last_prose = k
        elif texts.link_density[k] >= linked and texts.chars[k] >= least:
            if k - last_prose <= reach:
                near += waiting
                waiting = 0
            last_link = k
    return {
        "page_near_links": near / float(total or 1),
        "page_prose_run": total / float(runs or 1),
        "page_prose_links": inside / float(blocks or 1),
    }


def _metadata(page: Page) -> dict[str, float]:
    """Return features of the page's metadata: og:type, publication date, types of JSON-LD."""
    fields = meta_fields(page)
    og_type = dict(fields).get("og:type", "").lower()
    kinds = frozenset[str]().union(*map(_kinds_of, structured_data(page).types))
    other_type = 2 if og_type == "website" else 3 if og_type else 0
    return {
        "og_type": 1 if "article" in og_type else other_type,
        "is_published": any(key.lower() in _PUBLISHED for key, _ in fields),
        **{f"ld_{name}": name in kinds for name in _TYPES},
    }


@lru_cache(maxsize=256)
def _kinds_of(name: str) -> frozenset[str]:
    """Return the keys of ``_TYPES`` whose pattern matches a type of JSON-LD."""
    return frozenset(kind for kind, pattern in _TYPES.items() if pattern.fullmatch(name))


# Features of a page's blocks for the article classifier (the judge ``learned``). In an article the
# likely blocks are consecutive and have high probabilities. In a list of teasers they are
# scattered. A row here is a series of consecutive likely blocks.

#: Features of the probabilities of a page's blocks.
ARTICLE_BLOCK_FEATURES: Final = tuple(
    """
    likely_words likely_share likely_rows longest_share expected_share expected_variance
    likely_link_density likely_items
    """.split()
)
JUDGE_FEATURES: Final = (*PAGE_FEATURES, *ARTICLE_BLOCK_FEATURES)


def article_block_features(
    words: Sequence[int],
    link_density: Sequence[float],
    repeated_items: Sequence[float],
    probabilities: Sequence[float],
) -> dict[str, float]:
    """Return the features of ``ARTICLE_BLOCK_FEATURES`` by name.

    The four sequences have one value per candidate block: number of words, link density, number of
    items of its list, probability. There must be at least one block. Shares and means are weighted
    by words, but ``likely_items`` is a mean over blocks.
    """
    numbers, chances = arrays.as_longs(words), arrays.as_doubles(probabilities)
    densities, counts = arrays.as_doubles(link_density), arrays.as_doubles(repeated_items)
    n, p, density = arrays.longs(numbers), arrays.doubles(chances), arrays.doubles(densities)
    items, likely_from = arrays.doubles(counts), LIKELY
    total = inside = likely = rows = row = longest = 0
    of_items = 0.0
    expected, variance, links = [], [], []
    for k in range(len(numbers)):
        total += n[k]
        expected.append(p[k] * n[k])
        variance.append(p[k] * (1 - p[k]) * n[k])
        if p[k] < likely_from:
            row = 0
            continue
        rows += 1 if not row else 0
        row += n[k]
        longest = max(longest, row)
        inside += n[k]
        likely += 1
        of_items += items[k]
        links.append(n[k] * density[k])
    expected_words, all_words = fsum(expected), float(total)
    likely_words = float(inside or 1)
    found: dict[str, float] = {
        "likely_words": inside,
        "likely_share": inside / all_words,
        "likely_rows": rows,
        "longest_share": longest / likely_words,
        "expected_share": expected_words / all_words,
        "expected_variance": fsum(variance) / (expected_words or 1),
        "likely_link_density": fsum(links) / likely_words,
        "likely_items": of_items / float(likely or 1),
    }
    return within_limits(found, JUDGE_LIMITS)
