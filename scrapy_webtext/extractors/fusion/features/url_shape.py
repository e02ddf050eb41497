"""The shape of a URL: which type of page its path suggests, on any site."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

#: Path segments by the type of page that they suggest.
_SEGMENTS: Final = {
    "forum": "forum forums thread threads topic topics t showthread viewtopic question questions "
    "discussion discussions d comments board boards community talk",
    "product": "product products p dp item itm pd prod buy",
    "collection": "collection collections category categories c cat shop store product-category",
    "documentation": "doc docs documentation reference api learn guide guides tutorial tutorials "
    "manual wiki help support kb",
    "listing": "tag tags search archive archives author authors section hub jobs events list "
    "directory",
    "article": "blog blogs news article articles story stories post posts press insights magazine "
    "opinion feature features",
    "service": "service services solution solutions about pricing company industries platform "
    "contact",
}
_TYPE_OF: Final = {
    segment: page_type for page_type, segments in _SEGMENTS.items() for segment in segments.split()
}
_DATE: Final = re.compile(r"/(?:19|20)\d\d[/-]?\d\d")
_NUMBER: Final = re.compile(r"\d+")

URL_FEATURES: Final = (
    "url_depth",
    "url_last_chars",
    "url_hyphens",
    "url_digits",
    "url_has_date",
    "url_query_fields",
    "url_longest_number",
    "url_is_file",
    *(f"url_{page_type}" for page_type in _SEGMENTS),
)


def url_features(url: str | None) -> dict[str, float]:
    """Return the features of a URL; all are -1 without one.

    The feature of a page type is 1 if a segment before the last (or the first label of the host)
    suggests it, 0.5 if only the last segment does, else 0.
    """
    try:
        parts = urlsplit((url or "").lower())
    except ValueError:  # "http://[" and the like
        parts = urlsplit("")
    if not parts.path and not parts.netloc:
        return dict.fromkeys(URL_FEATURES, -1.0)
    path = parts.path[:2000]
    segments = [segment for segment in path.split("/") if segment]
    last = segments[-1] if segments else ""
    numbers = _NUMBER.findall(path)
    features = dict.fromkeys(URL_FEATURES, 0.0)
    features["url_depth"] = len(segments)
    features["url_last_chars"] = len(last)
    features["url_hyphens"] = max(last.count("-"), last.count("_"))
    features["url_digits"] = sum(map(len, numbers))
    features["url_has_date"] = _DATE.search(path) is not None
    features["url_query_fields"] = parts.query.count("=")
    features["url_longest_number"] = max(map(len, numbers), default=0)
    features["url_is_file"] = last.endswith((".html", ".htm", ".shtml"))
    if last in _TYPE_OF:
        features[f"url_{_TYPE_OF[last]}"] = 0.5
    for segment in (parts.netloc.partition(".")[0], *segments[:-1]):
        if segment in _TYPE_OF:
            features[f"url_{_TYPE_OF[segment]}"] = 1.0
    return features
