"""Consent dialogs, customers' reviews, and notices where there is no article, are no main text."""

from scrapy_webtext.extractors.fusion.bystanders import MAX_CONSENT, MAX_SHARE, without_bystanders
from scrapy_webtext.extractors.fusion.features import read
from scrapy_webtext.extractors.fusion.model import PageReading
from scrapy_webtext.extractors.fusion.names import name_scorer
from scrapy_webtext.extractors.fusion.wording import NO_WORDING
from scrapy_webtext.page import parse

SHOP, ARTICLE = 0.1, 0.9
ABOUT = "<p>A kettle of steel that sings when the water boils.</p><p>It holds two litres.</p>"


def left(html: str, article: float, probabilities: list[float]) -> list[int]:
    page = parse(html)
    reading = read(page, name_scorer({}), NO_WORDING)
    seen = PageReading(reading, {}, probabilities, probabilities, article)
    return without_bystanders(page, seen, list(range(len(probabilities))))


def test_a_consent_dialog_is_named_so() -> None:
    for name in ("onetrust-consent-sdk", "cookie-banner", "CookieConsent", "gdpr modal"):
        html = f"{ABOUT}<div class='{name}'><p>We and our partners store cookies.</p></div>"
        assert left(html, ARTICLE, [0.9, 0.8, 0.5]) == [0, 1]


def test_what_is_likely_to_be_content_is_no_consent_dialog() -> None:
    html = f"<div class=cookie-law>{ABOUT}</div>"
    assert left(html, ARTICLE, [MAX_CONSENT, 0.1]) == [0, 1]


def test_reviews_are_left_out_where_there_is_no_article() -> None:
    html = f"{ABOUT}<section id=customer-reviews><p>It sings!</p></section>"
    assert left(html, SHOP, [0.5, 0.5, 0.9]) == [0, 1]
    assert left(html, ARTICLE, [0.5, 0.5, 0.9]) == [0, 1, 2]


def test_previews_and_pages_of_reviews_are_no_reviews() -> None:
    html = f"{ABOUT}<div class=preview><p>It sings!</p></div>"
    assert left(html, SHOP, [0.5, 0.5, 0.9]) == [0, 1, 2]
    html = f"<div class=review-page>{ABOUT}</div>"
    assert left(html, SHOP, [0.5, 0.5]) == [0, 1]


def test_dialogs_notices_and_signatures_are_left_out_where_there_is_no_article() -> None:
    for name in ("signup-modal", "popups", "game_legal", "disclaimer", "signature"):
        html = f"{ABOUT}<div class='{name}'><p>Kettles may be hot.</p></div>"
        assert left(html, SHOP, [0.9, 0.8, 0.5]) == [0, 1]
        assert left(html, ARTICLE, [0.9, 0.8, 0.5]) == [0, 1, 2]
    html = f"{ABOUT}<dialog open><p>Kettles may be hot.</p></dialog>"
    assert left(html, SHOP, [0.9, 0.8, 0.5]) == [0, 1]
    for name in ("multimodal", "paralegals", "designature"):
        html = f"{ABOUT}<div class='{name}'><p>Kettles may be hot.</p></div>"
        assert left(html, SHOP, [0.9, 0.8, 0.5]) == [0, 1, 2]


def test_an_element_that_holds_much_of_the_text_is_none_of_them() -> None:
    for kind, name in (("dialog", "modal"), ("notice", "legal")):
        html = f"<p>{'Kettles ' * 80}</p><div class={name}><p>{'whistle ' * 20}</p></div>"
        few = MAX_SHARE[kind] * 4 / (1 - MAX_SHARE[kind])  # as likely as this, it has its share
        assert left(html, SHOP, [0.2, 0.2 * few - 0.01]) == [0]
        assert left(html, SHOP, [0.2, 0.2 * few + 0.01]) == [0, 1]


def test_something_is_always_left() -> None:
    assert left("<div class=cookie-banner><p>Cookies.</p></div>", SHOP, [0.2]) == [0]
