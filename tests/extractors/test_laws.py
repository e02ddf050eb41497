"""Laws of every extractor in every reading: any string, no text, options, models, imports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import ModelError, SettingsError
from scrapy_webtext.extractors.readings import Reading
from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor, make_judge
from tests.fuzz.pages import soup
from tests.kits.laws import check_extractor, check_signals
from tests.kits.processes import python

READINGS = get_args(Reading)
PAPERS = [
    (name, {"reading": reading})
    for name in ("pvalue", "bte", "ttr", "naive_bayes", "wffte")
    for reading in READINGS
]
#: Other ways that strings go: clusterings, a segmenter, what is no paper's.
OTHERS: list[tuple[str, dict[str, str]]] = [
    ("fusion", {}),
    ("ttr", {"clustering": "prediction"}),
    ("ttr", {"clustering": "farthest_first"}),
    ("ttr", {"clustering": "kmeans"}),
    ("ttr", {"clustering": "em"}),
    ("wffte", {"reading": "paper", "segmenter": "bigrams"}),
]
SCRAPS = st.lists(
    st.sampled_from(
        "<div> </div> <p> </p> <td> <tr> <table> </table> <a>x </a> <article> </article> <head> "
        "</html> <select> <option> <script> </script> <br> <pre> <section\nclass=a> , 。 word "
        "雨 \n &nbsp; \0 \ud800 rain. One,".split(" ")
    ),
    max_size=40,
).map("".join)
STRINGS = (
    st.text(max_size=400)
    | st.text("<>/adivp =\"'!-&;,.\n好，", max_size=200)
    | st.binary(max_size=60).map(soup)
    | SCRAPS
)


@pytest.mark.parametrize(("name", "options"), PAPERS + OTHERS)
@given(html=STRINGS)
def test_any_string_gives_the_same_text_twice(html: str, name: str, options: Any) -> None:
    found = check_extractor(name, parse(html), options)
    assert found == check_extractor(name, parse(html), options)
    check_signals(name, parse(html), options)
    if name in ("pvalue", "wffte"):
        assert bool(found.text) == bool(found.score)
    elif name != "naive_bayes":  # which may choose control characters
        assert found.text or not found.score


@pytest.mark.parametrize(("name", "options"), PAPERS + OTHERS)
@pytest.mark.parametrize(
    "html",
    ["", " \n ", "<p></p>", "<body></body>", "<div><img src=a.png></div>", "<script>x</script>",
     "<!-- a -->"],
)  # fmt: skip
def test_a_page_without_text_gives_none_and_score_0(html: str, name: str, options: Any) -> None:
    extractor, page = make_extractor(name, options), parse(html)
    found = extractor.extract(page)
    assert (found.text, found.score, found.chosen) == ("", 0.0, ())
    assert found.references == ()
    signals = extractor.signals(page)  # type: ignore[attr-defined]
    assert not any(any(signal.values) for signal in signals if signal.unit != "token")


@pytest.mark.parametrize("name", ["pvalue", "bte", "ttr"])
@pytest.mark.parametrize(
    "html",
    [
        "<html><body><p>It rained <b>all</b> day.</p>\n<p>Bye.</p></body></html>",
        "<html><body><pre>&gt; \n\nRain fell\nall day\n--\n\n</pre></body></html>",
    ],
)
def test_the_letter_reads_a_page_without_source_by_its_tree(html: str, name: str) -> None:
    extractor, page = make_extractor(name, {"reading": "paper"}), parse(html)
    assert extractor.extract(page).text
    assert extractor.extract(replace(page, source="")).text == extractor.extract(page).text


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        *((name, {"reading": "letter"}, "use one of: modern, paper") for name, _ in PAPERS[::2]),
        ("naive_bayes", {"block_tags": "div"}, "block_tags='div' is not allowed; .*: all, table"),
        ("naive_bayes", {"priors": True}, "priors=True is not allowed; use one of: equal, trained"),
        ("naive_bayes", {"model": 7}, "model=7 is not allowed; give the path of a model"),
        ("fusion", {"model": 7}, "model=7 is not allowed"),
        ("fusion", {"comments": "no"}, "comments='no' is not allowed"),
        ("fusion", {"favour": "speed"}, "favour='speed' .*; use one of: None, 'precision', 're"),
        ("fusion", {"favour": ["recall"]}, r"favour=\['recall'\] is not allowed"),
        ("fusion", {"headline": 1}, "headline=1 is not allowed; use True or False"),
        ("fusion", {"tables": None}, "tables=None is not allowed; use True or False"),
        ("fusion", {"links": "no"}, "links='no' is not allowed"),
        ("fusion", {"copies": 0}, "copies=0 is not allowed"),
        ("wffte", {"q": 0}, "q=0 is not allowed; use an integer of 1 or more"),
        ("wffte", {"alpha": -1}, "alpha=-1 is not allowed; use a number of 0 or more"),
        ("wffte", {"beta": float("nan")}, "beta=nan is not allowed"),
        ("wffte", {"beta": "1"}, "beta='1' is not allowed"),
        ("wffte", {"segmenter": "mecab"}, "segmenter='mecab'.*: auto, jieba, bigrams"),
        ("ttr", {"clustering": "k-means"}, "clustering='k-means'"),
        ("ttr", {"coefficient": -1}, "coefficient=-1"),
        ("ttr", {"coefficient": float("nan")}, "coefficient=nan"),
        ("ttr", {"coefficient": "1"}, "coefficient='1'"),
        ("ttr", {"radius": 1.5}, "radius=1.5"),
    ],
)
def test_a_wrong_option_is_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        make_extractor(name, options)


@pytest.mark.parametrize(
    ("make", "name"),
    [(make_extractor, "naive_bayes"), (make_extractor, "fusion"), (make_judge, "learned")],
)
def test_a_missing_model_is_named(make: Any, name: str) -> None:
    with pytest.raises(ModelError, match=r"nowhere\.json cannot be read"):
        make(name, {"model": "nowhere.json"})


@pytest.mark.parametrize(
    ("options", "package"),
    [("extractor='wffte'", "jieba"), ("extractor='ttr', clustering='farthest_first'", "sklearn")],
)
def test_a_package_is_imported_only_if_asked_for(options: str, package: str) -> None:
    html = "<title>Plain news</title><p>Plain text"
    code = f"from scrapy_webtext import extract; extract({html!r}, {options})"
    assert (
        python("-c", f"{code}; import sys; print('{package}' in sys.modules)").stdout == "False\n"
    )
