"""Consent dialogs are no main text."""

from scrapy_webtext.extractors.fusion.features.block_features import compute_features
from scrapy_webtext.extractors.fusion.features.class_names import class_name_scorer
from scrapy_webtext.extractors.fusion.features.short_texts import NO_TOKEN_SCORES
from scrapy_webtext.extractors.fusion.filters.consent import MAX_CONSENT, without_consent
from scrapy_webtext.extractors.fusion.prediction import PagePrediction
from scrapy_webtext.page import parse

ABOUT = "<p>A kettle of steel that sings when the water boils.</p><p>It holds two litres.</p>"


def left(html: str, probabilities: list[float]) -> list[int]:
    page = parse(html)
    table = compute_features(page, class_name_scorer({}), NO_TOKEN_SCORES)
    prediction = PagePrediction(table, {}, probabilities, probabilities, 0.5)
    return without_consent(page, prediction, list(range(len(probabilities))))


def test_a_consent_dialog_is_named_so() -> None:
    for name in ("onetrust-consent-sdk", "cookie-banner", "CookieConsent", "gdpr modal"):
        html = f"{ABOUT}<div class='{name}'><p>We and our partners store cookies.</p></div>"
        assert left(html, [0.9, 0.8, 0.5]) == [0, 1]


def test_what_is_likely_to_be_content_is_no_consent_dialog() -> None:
    html = f"<div class=cookie-law>{ABOUT}</div>"
    assert left(html, [MAX_CONSENT, 0.1]) == [0, 1]


def test_something_is_always_left() -> None:
    assert left("<div class=cookie-banner><p>Cookies.</p></div>", [0.2]) == [0]
