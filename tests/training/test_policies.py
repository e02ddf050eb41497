"""Made pages of terms, privacy policies and imprints."""

from __future__ import annotations

import json
import re
from random import Random

from scrapy_webtext.page import parse
from tests.kits.data import read_json
from training import resource
from training.policies import LAYOUTS, make_policy

TEXTS = read_json(__file__, "labels.json")["texts"]


def test_a_policy_is_in_the_script_of_its_text() -> None:
    wordings = json.loads(resource("policies.json"))
    for script, text in TEXTS.items():
        of_script = wordings.get(script, wordings["english"])
        titles = {title for one in of_script for title in one["titles"].split("|")}
        html, _ = make_policy(text, "example.org", ["News today"], Random(script))
        assert re.split(r" [|·–-] example", parse(html).title)[0] in titles


def test_policies_are_of_any_length_in_all_layouts_with_and_without_address() -> None:
    made = [make_policy("the boats", "example.org", [], Random(k)) for k in range(200)]
    sizes = sorted(sum(map(len, parse(html).blocks.text)) for html, _ in made)
    assert sizes[0] < 1_500 < 20_000 < sizes[-1]
    assert len({html.split("<body")[1][:12] for html, _ in made}) >= len(LAYOUTS) - 1
    urls = [url for _, url in made]
    assert None in urls
    assert "https://www.example.org/privacy" in urls
