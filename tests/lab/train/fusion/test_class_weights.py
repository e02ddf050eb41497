from scrapy_webtext.lab.train.fusion.class_weights import MOST_WEIGHT, balanced_weights
from scrapy_webtext.lab.train.fusion.examples import Example
from tests.lab.train.fusion.made import made


def page(script: str, is_article: bool) -> Example:
    return made(0, script=script, is_article=is_article)


def test_the_articles_of_a_script_weigh_as_much_as_its_other_pages() -> None:
    pages = [page("greek", True)] * 9 + [page("greek", False)] * 3 + [page("cjk", True)] * 4
    weights = balanced_weights(pages)
    assert sum(weights[:9]) == sum(weights[9:12]) == 6
    assert weights[12:] == [0.0] * 4  # no other page to tell its articles from


def test_no_page_weighs_too_much() -> None:
    pages = [page("greek", True)] * 97 + [page("greek", False)] * 3
    assert max(balanced_weights(pages)) == MOST_WEIGHT
