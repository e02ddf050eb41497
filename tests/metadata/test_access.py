"""Whether an article is free to read, and its licence."""

import pytest

from tests.metadata.pages import json_ld, story, value

ARTICLE = '{{"@type": "NewsArticle", "headline": "Boat gone", {}}}'


@pytest.mark.parametrize(
    ("head", "is_free"),
    [
        (json_ld(ARTICLE.format('"isAccessibleForFree": true')), True),
        (json_ld(ARTICLE.format('"isAccessibleForFree": "False"')), False),
        (json_ld(ARTICLE.format('"isAccessibleForFree": "https://schema.org/True"')), True),
        (json_ld(ARTICLE.format('"isAccessibleForFree": "perhaps"')), None),
        (json_ld(ARTICLE.format('"hasPart": {"isAccessibleForFree": false}')), None),
        ('<meta property="article:content_tier" content="metered">', False),
        ('<meta property="article:content_tier" content="Free">', True),
        ("", None),
    ],
)
def test_is_free_is_what_search_engines_are_told(head: str, is_free: bool | None) -> None:
    assert value(story(head), "is_free") is is_free


BY = "https://creativecommons.org/licenses/by/4.0/"


@pytest.mark.parametrize(
    ("head", "below", "licence"),
    [
        (json_ld(ARTICLE.format(f'"license": "{BY}"')), "<a rel=license href=/x>x</a>", BY),
        (json_ld(ARTICLE.format(f'"license": {{"@type": "CreativeWork", "@id": "{BY}"}}')), "", BY),
        (f'<link rel="license" href="{BY}">', "", BY),
        ("", f'<a rel="noopener License" href="{BY}">Some rights</a>', BY),
        ('<meta name="tdm-reservation" content="1">', "", "tdm-reservation"),
        ('<meta name="tdm-reservation" content="1">', f"<a rel=license href={BY}>x</a>", BY),
        ('<meta name="tdm-reservation" content="0">', "", None),
        ("", "<a rel=author href=/x>x</a>", None),
    ],
)
def test_the_licence_is_the_address_that_the_page_names(
    head: str, below: str, licence: str | None
) -> None:
    assert value(story(head, below=below), "licence") == licence
