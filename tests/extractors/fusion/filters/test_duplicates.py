"""Text that stands on a page twice: copies go, what is said again stays."""

import pytest

from scrapy_webtext import extract

VERSES = [
    "The cart was old, the road was long, the wheel was never quite true.",
    "The bridge was out, the ford was deep, the toll was two pence more.",
    "The inn was shut, the lamp was out, the keeper had gone to sea.",
]
REFRAIN = "So walk, my grey, walk on, my grey, the inn is not so very far."


def text_of(body: str) -> list[str]:
    return extract(f"<title>A page</title><main><article>{body}</article></main>").main_text.split(
        "\n"
    )


def test_a_refrain_is_sung_each_time():
    lines = [line for verse in VERSES for line in (verse, REFRAIN)]
    assert text_of("".join(f"<p>{line}</p>" for line in lines)) == lines


def test_an_article_that_stands_twice_is_taken_once():
    once = "".join(f"<p>{line}</p>" for line in VERSES)
    assert text_of(f"<div>{once}</div><div>{once}</div>") == VERSES
    assert text_of(once + once) == VERSES


def test_a_pull_quote_is_taken_once():
    first, second, third = (f"<p>{verse}</p>" for verse in VERSES)
    body = f"{first}{second}<blockquote>{VERSES[0]}</blockquote>{third}"
    assert text_of(body) == VERSES


@pytest.mark.parametrize(
    "between", ["", "<p>Then again, in the other folder of the same site:</p>"]
)
def test_code_is_run_each_time(between):
    code = "tar --create --gzip --file backup.tar.gz --exclude cache /srv/www/site"
    first, second, third = (f"<p>{verse}</p>" for verse in VERSES)
    body = f"{first}<pre>{code}</pre>{second}{between}<pre>{code}</pre>{third}"
    assert text_of(body).count(code) == 2
