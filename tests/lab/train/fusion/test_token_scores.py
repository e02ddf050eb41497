from math import log

from scrapy_webtext.lab.train.folds import fold_of
from scrapy_webtext.lab.train.fusion.examples import FOLDS, Example, TokenCounts, count_tokens
from scrapy_webtext.lab.train.fusion.token_scores import (
    PAGE_PRIOR,
    PAGE_SITES,
    WORD_PRIOR,
    WORD_SITES,
    article_scores,
    content_scores,
    lexicons,
)
from tests.lab.train.fusion.made import made


def page(number: int, tokens: TokenCounts, is_article: bool = True, site: str = "") -> Example:
    return made(
        number,
        site=site,
        is_article=is_article,
        gold_words=1,
        words=[1],
        matched=[1],
        labels=[True],
        tokens=tokens,
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
    assert article_scores(pages) == {}


def test_a_word_tells_whether_articles_have_it() -> None:
    shops = [page(n, {"cart": (0, 1)}, is_article=False) for n in range(PAGE_SITES)]
    news = [page(100 + n, {"rain": (1, 1)}) for n in range(PAGE_SITES)]
    half = PAGE_PRIOR / 2 / PAGE_SITES
    expected = round(log((1 + half) / half), 1)
    assert article_scores(shops + news) == {"cart": -expected, "rain": expected}
    assert article_scores(news) == {}  # nothing to tell them from


def test_no_fold_hears_its_own_sites() -> None:
    sites = [f"{n}.example" for n in range(20 * FOLDS)]
    own = [site for site in sites if fold_of(site, FOLDS, 0) == 0]
    pages = [page(n, {"secret": (1, 1)}, site=site) for n, site in enumerate(own)]
    pages += [page(200 + n, {"rain": (1, 1)}, site=site) for n, site in enumerate(sites)]
    bag_of_words = [lexicon.token_scores for lexicon in lexicons(pages, pages, 0)]
    assert ["secret" in token_scores.content for token_scores in bag_of_words] == [
        False,
        *[True] * (FOLDS - 1),
    ]
