from math import log

from scrapy_webtext.extractors.fusion.wording import KINDS
from scrapy_webtext.train.examples import FOLDS, Example, TokenCounts, count_tokens, fold_of
from scrapy_webtext.train.lexicon import (
    KIND_PRIOR,
    KIND_SITES,
    WORD_PRIOR,
    WORD_SITES,
    content_scores,
    kind_word_scores,
    lexicons,
)


def page(number: int, tokens: TokenCounts, kind: str = "article", site: str = "") -> Example:
    return Example(
        id=str(number),
        corpus="made",
        domain=site or f"{number}.example",
        kind=KINDS.index(kind),
        gold="",
        words=[1],
        labels=[True],
        names={},
        tokens=tokens,
        bags=(),
        page=None,
        url=None,
    )


def test_texts_with_a_token_are_counted_once_each() -> None:
    texts = ["Read more", "Read more", "More rain", "rain " * 20]
    assert count_tokens(texts, [False, True, True, True]) == {
        "read": (0, 1),
        "more": (1, 2),
        "read more": (0, 1),
        "rain": (1, 1),
        "more rain": (1, 1),
    }


def test_a_word_has_the_log_odds_of_its_texts_being_content_drawn_towards_the_mean() -> None:
    pages = [page(n, {"share": (0, 3), "rain": (2, 2)}) for n in range(WORD_SITES)]
    # Half of all tokens are content: the mean is 0.5, and its log-odds are 0.
    share = WORD_PRIOR * 0.5 / (WORD_SITES + WORD_PRIOR)
    expected = round(log(share / (1 - share)), 1)
    assert content_scores(pages) == {"share": expected, "rain": -expected}


def test_a_site_speaks_once_however_many_its_pages() -> None:
    pages = [page(n, {"share": (0, 3), "rain": (1, 1)}, site="one.example") for n in range(40)]
    assert content_scores(pages) == {}
    assert kind_word_scores(pages) == {}


def test_a_word_tells_the_kinds_of_the_pages_that_it_stands_on() -> None:
    shops = [page(n, {"cart": (0, 1)}, "product") for n in range(KIND_SITES)]
    news = [page(100 + n, {}) for n in range(KIND_SITES)]
    row = kind_word_scores(shops + news)["cart"]
    half = KIND_PRIOR / 2 / KIND_SITES
    expected = round(log((1 + half) / half), 1)
    assert row[KINDS.index("product")] == expected
    assert row[KINDS.index("article")] == -expected
    assert row[KINDS.index("forum")] == 0


def test_no_fold_hears_its_own_sites() -> None:
    sites = [f"{n}.example" for n in range(20 * FOLDS)]
    own = [site for site in sites if fold_of(site, FOLDS, 0) == 0]
    pages = [page(n, {"secret": (1, 1)}, site=site) for n, site in enumerate(own)]
    pages += [page(200 + n, {"rain": (1, 1)}, site=site) for n, site in enumerate(sites)]
    bags = [lexicon.wording for lexicon in lexicons(pages, pages, 0)]
    assert ["secret" in wording.kinds for wording in bags] == [False, *[True] * (FOLDS - 1)]
