"""``<meta>`` and ``<link>``: what the head of a page says, by the names that pages use for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scrapy_webtext.metadata.words import plain_text
from scrapy_webtext.page import Nodes

#: Names of each field in order of trust, lower-cased. OpenGraph, ``article:``, Dublin Core,
#: Parsely, Sailthru, Cxense, Twitter, and what publishers made up before these.
NAMES: Final[Mapping[str, Sequence[str]]] = {
    name: names.split()
    for name, names in {
        "title": "og:title headline parsely-title sailthru.title cxenseparse:title dc.title "
        "dcterms.title dc:title citation_title twitter:title twitter:text:title fb_title "
        "tweetmeme-title mrc__share_title title",
        "authors": "parsely-author sailthru.author cxenseparse:author citation_author "
        "article:author_name author article:author og:article:author authors byl byline dc.creator "
        "dcterms.creator dc:creator dc.creator.personalname creator article.author "
        "rbauthors twitter:creator",
        "published": "article:published_time og:article:published_time article:published "
        "bt:pubdate datepublished sailthru.date parsely-pub-date "
        "cxenseparse:recs:publishtime citation_publication_date citation_online_date "
        "dc.date.issued dcterms.issued "
        "dcterms.created dc.date.created pubdate publishdate publish_date publish-date "
        "publication_date publicationdate published_at publishedtime published_time "
        "og:published_time pub_date datecreated date_created ptime cdate "
        "originalpublicationdate rnews:datepublished displaydate article_date_original "
        "dc.date dcterms.date dc:date date doc_date",
        "modified": "article:modified_time og:article:modified_time article:modified datemodified "
        "og:updated_time dcterms.modified dc.date.modified "
        "cxenseparse:recs:articlemodified last-modified lastmodified last_updated moddate revised",
        "description": "og:description description twitter:description dc.description "
        "dcterms.description dcterms.abstract sailthru.description parsely-description abstract",
        "image": "og:image:secure_url og:image og:image:url twitter:image twitter:image:src "
        "parsely-image-url sailthru.image.full thumbnail image_src msapplication-image",
        "site_name": "og:site_name application-name apple-mobile-web-app-title al:android:app_name "
        "dc.publisher dcterms.publisher publisher copyright twitter:site",
        "tags": "article:tag og:article:tag parsely-tags sailthru.tags news_keywords keywords "
        "dc.subject dcterms.subject",
        "language": "content-language dc.language dcterms.language language inlanguage og:locale",
        "url": "og:url parsely-link twitter:url",
    }.items()
}

#: Elements of a page that are read; one has 5,000 links at most, and some dozen others.
MAX_TAGS: Final = 10_000
#: Values of one name.
MAX_VALUES: Final = 100

#: Names that are read -> their field and their place in it; Twitter's labelled values have none.
_KNOWN: Final[Mapping[str, tuple[str, int]]] = {
    **{name: (field, place) for field, names in NAMES.items() for place, name in enumerate(names)},
    **{f"twitter:{kind}{number}": ("", 0) for kind in ("label", "data") for number in "12"},
}
_RELATIONS: Final = frozenset({"canonical", "image_src"})
_KEYS: Final = {"property": 0, "name": 1, "itemprop": 2, "http-equiv": 3}


class Head:
    """What the ``<meta>`` of a page say, by name; where ``<link>`` lead; the root's language."""

    __slots__ = ("_names", "_values", "language", "links", "meta")

    def __init__(
        self, nodes: Nodes, roots: Sequence[int], metas: Sequence[int], links: Sequence[int]
    ) -> None:
        self.meta: dict[str, list[str]] = {}
        self.links: dict[str, str] = {}
        self.language = ""
        attributes = nodes.attributes
        for i in metas[:MAX_TAGS]:
            row = attributes[i]
            # As most pages have it: a name and a content.
            if len(row) == 2 and row[1][0] == "content" and row[0][0] in _KEYS:
                self._add(row[0][1], row[1][1])
            else:
                self._add_meta(dict(row))
        for i in links[:MAX_TAGS]:
            pairs = dict(attributes[i])
            if pairs.get("rel") in _RELATIONS:
                self.links.setdefault(pairs["rel"], pairs.get("href", ""))
        self._names: dict[str, list[tuple[int, str]]] = {}
        for name in self.meta:
            field, place = _KNOWN[name]
            self._names.setdefault(field, []).append((place, name))
        self._values: dict[str, list[tuple[str, list[str]]]] = {}
        for i in roots[:1]:
            named = dict(attributes[i])
            self.language = named.get("lang") or named.get("xml:lang") or ""

    def _add_meta(self, pairs: Mapping[str, str]) -> None:
        content = pairs.get("content") or pairs.get("value")
        if not content:
            return
        for key in _KEYS:
            if key in pairs:
                self._add(pairs[key], content)

    def _add(self, names: str, content: str) -> None:
        names = names.lower()
        known = (names,) if names in _KNOWN else () if names.isalpha() else names.split()[:4]
        for name in known:
            if content and name in _KNOWN:
                self.meta.setdefault(name, []).append(content)

    def values(self, field: str) -> list[tuple[str, list[str]]]:
        """Return the names of a field that the page uses, with the texts, in order of trust."""
        if field not in self._values:
            self._values[field] = [
                (f"meta {name}", texts)
                for _, name in sorted(self._names.get(field, ()))
                if (texts := list(filter(None, map(plain_text, self.meta[name][:MAX_VALUES]))))
            ]
        return self._values[field]
