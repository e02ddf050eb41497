"""Scripts and registered domains of labelled pages."""

import pytest

from scrapy_webtext.lab.corpus import LabelledPage
from training.labels import domain_of, script_of


@pytest.mark.parametrize(
    ("key", "url", "domain"),
    [
        ("1", "https://news.example.co.uk/story", "example.co.uk"),
        ("1", "http://localhost:8000/a", "localhost"),
        ("1", "http://192.0.2.7/a", "192.0.2.7"),
        ("1", "http://wiki.intern.corp-net/a", "wiki.intern.corp-net"),
        ("press/7", None, "press"),
        ("7", None, "7"),
    ],
)
def test_the_domain_is_registered_or_the_folder_in_the_id(
    key: str, url: str | None, domain: str
) -> None:
    assert domain_of(LabelledPage(key, "", "", url)) == domain


TEXTS = {
    "english": "The river rose in the night and the dike was not high enough for that.",
    "german": "Der Fluss stieg in der Nacht, und der Deich war nicht hoch genug für das Wasser.",
    "latin": "Rzeka wezbrała tej nocy, a wał nie był wystarczająco wysoki.",
    "cyrillic": "Ночью река поднялась, и дамба оказалась недостаточно высокой.",
    "greek": "Το ποτάμι φούσκωσε τη νύχτα και το ανάχωμα δεν ήταν αρκετά ψηλό.",
    "cjk": "夜里河水上涨，堤坝不够高。",
    "other": "ارتفع النهر في الليل ولم يكن السد عاليا بما يكفي.",
}


def test_scripts() -> None:
    assert {name: script_of(text) for name, text in TEXTS.items()} == {name: name for name in TEXTS}
    assert script_of("") == "latin"
