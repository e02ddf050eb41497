from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.train.fusion.left_out import groups_of, script_of


def page(name: str, url: str, text: str) -> LabelledPage:
    return LabelledPage(id=name, url=url, type="article", html="", text=text)


RAIN = {
    "english": "The river rose in the night and the dike was not high enough for that.",
    "german": "Der Fluss stieg in der Nacht, und der Deich war nicht hoch genug für das Wasser.",
    "latin": "Rzeka wezbrała tej nocy, a wał nie był wystarczająco wysoki.",
    "cyrillic": "Ночью река поднялась, и дамба оказалась недостаточно высокой.",
    "greek": "Το ποτάμι φούσκωσε τη νύχτα και το ανάχωμα δεν ήταν αρκετά ψηλό.",
    "cjk": "夜里河水上涨，堤坝不够高。",
    "other": "ارتفع النهر في الليل ولم يكن السد عاليا بما يكفي.",
}


def test_scripts() -> None:
    assert {name: script_of(text) for name, text in RAIN.items()} == {name: name for name in RAIN}
    assert script_of("") == "latin"


def test_a_page_of_two_corpora_goes_with_both() -> None:
    twice, once = "https://a.example/1", "https://b.example/2"
    pages = [
        ("x/news.jsonl.gz", page("n1", twice, RAIN["greek"])),
        ("x/news.jsonl.gz", page("n2", once, RAIN["german"])),
        ("x/blogs.jsonl.gz", page("b1", twice, RAIN["greek"])),
    ]
    assert groups_of("corpus", pages, 0) == {
        "blogs": [("news", "n1"), ("blogs", "b1")],
        "news": [("news", "n1"), ("news", "n2"), ("blogs", "b1")],
    }
    assert groups_of("script", pages, 0)["german"] == [("news", "n2")]


def test_sites_stay_together_in_folds() -> None:
    pages = [
        (corpus, page(f"{corpus}{k}", f"https://{k}.example/{corpus}", RAIN["english"]))
        for corpus in ("a", "b")
        for k in range(30)
    ]
    found = groups_of("domain", pages, 0)
    assert sum(map(len, found.values())) == 60
    for group in found.values():
        assert {name[1:] for c, name in group if c == "a"} == {n[1:] for c, n in group if c == "b"}
