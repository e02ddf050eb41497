"""Scripts and registered domains of labelled pages."""

import pytest

from scrapy_webtext.lab.corpus import LabelledPage
from tests.kits.data import read_json
from training.labels import domain_of, script_of

CASES = read_json(__file__, "labels.json")


@pytest.mark.parametrize(("key", "url", "domain"), CASES["domains"])
def test_the_domain_is_registered_or_the_folder_in_the_id(
    key: str, url: str | None, domain: str
) -> None:
    assert domain_of(LabelledPage(key, "", "", url)) == domain


TEXTS = CASES["texts"]


def test_scripts() -> None:
    assert {name: script_of(text) for name, text in TEXTS.items()} == {name: name for name in TEXTS}
    assert script_of("") == "latin"
