"""Laws of every extractor in every reading: any string, no text, options, models, imports."""

from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.errors import ModelError, SettingsError
from scrapy_webtext.extractors.readings import Reading
from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor, make_judge
from tests.kits.data import read_json
from tests.kits.laws import check_extractor, check_signals
from tests.kits.processes import python
from tests.kits.soup import SCRAPS, soup

#: Extractor -> wrong options, each with the error that names them.
WRONG_OPTIONS = read_json(__file__, "wrong_options.json")
READINGS = get_args(Reading)
PAPERS = [
    (name, {"reading": reading})
    for name in ("pvalue", "bte", "ttr", "naive_bayes", "wffte")
    for reading in READINGS
]
#: Other options and extractors: clusterings, a segmenter, fusion.
OTHERS: list[tuple[str, dict[str, str]]] = [
    ("fusion", {}),
    ("ttr", {"clustering": "prediction"}),
    ("ttr", {"clustering": "farthest_first"}),
    ("ttr", {"clustering": "kmeans"}),
    ("ttr", {"clustering": "em"}),
    ("wffte", {"reading": "paper", "segmenter": "bigrams"}),
]
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
    elif name != "naive_bayes":  # its text may be control characters, which are cleaned away
        assert found.text or not found.score


@pytest.mark.parametrize(("name", "options"), PAPERS + OTHERS)
@pytest.mark.parametrize(
    "html",
    ["", " \n ", "<p></p>", "<body></body>", "<div><img src=a.png></div>", "<script>x</script>",
     "<!-- a -->"],
)  # fmt: skip
def test_a_page_without_text_has_score_0_and_no_blocks(html: str, name: str, options: Any) -> None:
    extractor, page = make_extractor(name, options), parse(html)
    found = extractor.extract(page)
    assert (found.text, found.score, found.chosen) == ("", 0.0, ())
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
def test_paper_reads_a_page_without_source_by_its_tree(html: str, name: str) -> None:
    extractor, page = make_extractor(name, {"reading": "paper"}), parse(html)
    assert extractor.extract(page).text
    assert extractor.extract(replace(page, body=b"")).text == extractor.extract(page).text


@pytest.mark.parametrize("name", WRONG_OPTIONS)
def test_a_wrong_option_is_refused(name: str) -> None:
    for options, message in WRONG_OPTIONS[name]:
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
