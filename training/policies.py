"""Makes pages of terms, privacy policies and imprints: the judge learns that they are no articles.

``policies.json`` has the wordings by script and language, ``policies.html`` the layouts of sites,
also those of news sites. The pages have no gold text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final
from zlib import crc32

from training import render_template, resource
from training.labels import script_of

_WORDINGS: Final[Mapping[str, Sequence[Mapping[str, str]]]] = json.loads(resource("policies.json"))
LAYOUTS: Final = ("wordpress", "news", "shop", "app", "legal", "old", "bare", "utility")
#: Minimum and maximum number of sections; pages with few are imprints.
SECTIONS: Final = (2, 24)
#: One of these is drawn as the maximum number of sentences of a section.
MOST_SENTENCES: Final = (3, 9, 20, 40)
#: Addresses of such pages on their site; None: the address is unknown.
PATHS: Final = (
    None,
    None,
    "privacy",
    "terms",
    "legal/privacy-policy",
    "policies/terms-of-service",
    "{slug}",
    "{slug}/",
    "about/{slug}",
    "{slug}.html",
    "page/12",
)


def make_policy(
    text: str, site: str, titles: Sequence[str], chance: Random
) -> tuple[str, str | None]:
    """Return HTML and address of a policy in the script of ``text``.

    ``titles`` are titles of other pages of the site, which the page may show in a sidebar.
    """
    of_script = _WORDINGS.get(script_of(text), _WORDINGS["english"])
    listed = {key: value.split("|") for key, value in chance.choice(of_script).items()}
    number = f"{crc32(site.encode()) % 10**8:08}"
    date = f"{chance.randint(1, 28)}.{chance.randint(1, 12)}.{chance.randint(2015, 2025)}"
    names = {"site": site, "mail": f"legal@{site}", "date": date, "number": number}
    sentences = [one.format(**names) for one in listed["sentences"]]
    title = chance.choice(listed["titles"])
    html = render_template(
        "policies.html",
        layout=chance.choice(LAYOUTS),
        lang=listed["lang"][0],
        title=title,
        site=site,
        date=date,
        sections=list(_sections(listed["headings"], sentences, chance)),
        sentences=sentences,
        cells=listed["headings"],
        rows=[f"_{word.lower()}" for word in title.split()] * chance.choice((0, 0, 1, 4, 30)),
        menu=[title.split()[0] for title in titles[:7] if title.split()],
        legal=listed["titles"][:4],
        teasers=titles[:6],
        n=chance.randint,
        pick=lambda *some: chance.choice(some),
    )
    path = chance.choice(PATHS)
    slug = "-".join(title.lower().split())
    return html, None if path is None else f"https://www.{site}/{path.format(slug=slug)}"


def _sections(
    headings: Sequence[str], sentences: Sequence[str], chance: Random
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield headings and the sentences below them; a long page repeats sentences."""
    number, most = min(chance.randint(*SECTIONS), len(headings)), chance.choice(MOST_SENTENCES)
    for heading in chance.sample(headings, number):
        yield heading, chance.choices(sentences, k=chance.randint(1, most))
