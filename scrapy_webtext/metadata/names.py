"""Names of people in what pages write where an author belongs; what is none is left out.

"By Jane Doe and John Roe, Staff Writers | jane@example.com" names two people. "admin", "Staff", an
address or a date names nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from scrapy_webtext.metadata.words import folded, plain_text

#: A name has at most so many characters and words.
MAX_CHARS: Final = 60
MAX_WORDS: Final = 6
#: Characters that are looked at.
MAX_VALUE: Final = 500
#: An article has at most so many authors.
MAX_AUTHORS: Final = 20

#: What stands before names, at the beginning of a byline.
_BY_WORDS: Final = (
    r"(?:written|posted|published|reported|words|story|text|article|review|reviewed|reporting|"
    r"analysis|edited|created|submitted|contributed|words and (?:photos|pictures)) by|by|"
    r"(?:posted|filed|published|veröffentlicht|erstellt|eingestellt|geschrieben|publié|publicado) "
    r"(?:in|on|at|am|um|unter|le|el|en|dans) [^|\n]{2,40}? (?:by|von|par|por)|"
    r"(?:(?:eine? )?(?:beitrag|artikel|kommentar|gastbeitrag|gastkommentar|kolumne|reportage|"
    r"analyse|essay|rezension|glosse|bericht) |geschrieben |verfasst |erstellt |"
    r"eingestellt |veröffentlicht |edited |text |interview |pressemitteilung |kommentar )?von|"
    r"autor(?:in|en|es|a|s|zy|ius)?|autor(?:\(in\)|:in|/in|\*in)|auteure?s?|auth?ors?(?:\(s\))?|"
    r"(?:écrit |publié |rédigé |proposé |propos recueillis )?par|(?:escrito |publicado )?por|"
    r"(?:scritto )?di|a cura di|(?:geschreven )?door|(?:skrevet |skriven |publicerad )?a[fv]|"
    r"texte?|tekst|texto|testo|foto und text|redakcja|redakteur(?:in)?|redaktor(?:in)?|redaktion|"
    r"reporter|writer|korrespondent|verfasser(?:in)?|opracowała?|szerző|írta|kirjoittaja|"
    r"автор(?:ы)?(?: статьи)?|автори?|текст|του|της|γράφει(?: ο| η)?|συντάκτης|tác giả|yazar|"
    r"penulis|oleh|द्वारा|كتب|بقلم"
)
#: Words that need a colon or the like behind them: alone they are words like others.
_BY: Final = re.compile(
    rf"\W{{0,5}}(?:(?:{_BY_WORDS})(?:\s{{0,9}}[:：|/–—-]\s{{0,9}}|\s{{1,9}})"
    r"(?:(?:by|von|par|por)\s{1,9})?"
    r"|(?:作者|文|記者|记者|编辑|編輯|责任编辑|来源|글|기자)\s{0,9}[:：／/|]?\s{0,9})"
)
#: Characters within which these words stand.
_BY_CHARS: Final = 80
#: "Press release by Jane Doe", but not "Otto von Bismarck".
_INNER_BY: Final = re.compile(r"^.{3,40}?\s(?:by|von|par|por|od|av)\s(?=[^\W\d_a-z]\S+\s\S)")
#: Between names.
_BETWEEN: Final = re.compile(
    r"\s{0,9}(?:[,;|•·、，；]|\s/\s|\s[&+]\s"
    r"|\b(?:and|und|et|y|e|och|og|en|i|и|και|ve|with|mit)\b(?=\s))\s{0,9}",
    re.IGNORECASE,
)
#: What follows all names.
_AFTER: Final = re.compile(
    r"\s(?:under|unter|filed under|abgelegt|tagged|schlagwörter)\b", re.IGNORECASE
)
#: What follows a name and is none of it.
_BEHIND: Final = re.compile(
    r"(?:\s{0,9}[(\[|–—]|\s{1,9}(?:le|el|den|the|il|op|del|dia|\S{1,3}\.)\s{1,9}\d"
    r"|\s{1,9}-\s|\s@|\s(?:for|für|pour|from|at|on|in|is|are|special to|published|updated|"
    r"posted|contributor|via|am|vom|il|aus|bei|über|im gespräch|im interview|veröffentlicht)\b).*$",
    re.IGNORECASE | re.DOTALL,
)
#: Degrees and the like, which commas set off from names.
_DEGREES: Final = frozenset(
    "phd md mba ma ba bsc msc ms esq cfa cpa rn rd rdn ld jd llm mph do dds dvm pe "
    "facp cdn cscs lmft lcsw psyd".split()
)
#: What belongs to a name, but is none.
_GENERATIONS: Final = frozenset("jr sr ii iii iv".split())
#: Roles and agencies that stand behind names without a sign between.
_BEHIND_NAME: Final = re.compile(
    r"(?:\s(?:senior|junior|chief|deputy|managing|executive|associate|assistant|"
    r"contributing|staff|freelance|guest|news|sports|science|political|"
    r"editor|writer|reporter|correspondent|contributor|columnist|producer|author|"
    r"redakteur(?:in)?|autor(?:in)?|the associated press|associated press|reuters|afp|dpa)){1,4}$",
    re.IGNORECASE,
)
#: Words that no name has.
_NEVER: Final = frozenset(
    "admin administrator administrateur administrador anonymous anonym anonyme webmaster moderator "
    "null none undefined wordpress http https mailto www subscribe follow share comments comment "
    "kommentar kommentare email mail copyright updated published veröffentlicht read reading lesen "
    "about datum date reviews some uncategorized zurück beitragsbild bildquelle "
    "minutes minutos profile profil login register menu related advertisement sponsored tagged "
    "quelle source fonte fuente źródło getty photograph photographs photo photos foto fotos image "
    "close edited size tags more mehr view privacy policy conditions terms melden takeaways recent "
    "january february march april june july august september october "
    "november december monday tuesday wednesday thursday friday saturday sunday januar februar "
    "märz juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag "
    "janvier février mars avril juillet août septembre octobre novembre décembre".split()
)
#: Words of roles and of parts of a site: together they name nobody.
_ROLES: Final = frozenset(
    "the a la le die der das de del des of und and for our your unsere user guest gast unknown "
    "unbekannt system default nobody root staff writer writers reporter reporters editor editors "
    "editorial newsroom team correspondent contributor contributors contributing columnist author "
    "authors autor autoren autorin auteur redaktion redaktionsteam redakcja redakce rédaction "
    "redazione redacción redaccion redactie toimitus redacao redação редакция редакція редактор "
    "news desk newsdesk press pressestelle presse newsletter office bureau agency agencies "
    "twitter facebook instagram linkedin reddit youtube wire wires services service online web "
    "magazine magazin archive archiv website blog home search category articles artikel beiträge "
    "posts post article video podcast publisher publishers mitarbeiter senior junior chief deputy "
    "managing executive content special digital freelance assistant associate producer "
    "administration direction publication".split()
)
#: Words of organisations' names: these sign, too, but people are preferred.
_BODIES: Final = frozenset(
    "news times press post journal gazette herald tribune agency agentur presse zeitung verlag "
    "ministerium bundesministerium landesanstalt institut institute university universität "
    "foundation stiftung society department association verein bund magazine magazin media medien "
    "tv radio online blog redaktion team staff desk newsroom editorial reuters afp dpa sid apa ap "
    "upi efe ansa gmbh inc ltd llc company group center centre zentrum amt kanton stadt gemeinde "
    "nachrichten wirtschaftsnachrichten daily the network report reports collective agencies "
    "parliament partei fraktion kirche church club".split()
)
_BAD: Final = re.compile(r"https?:|www\.|[@#{}<>=%$*_\\^~!?…“„\"©®]|\d\D*\d|^/|…")
#: The host of a site, which signs where nobody does.
_HOST: Final = re.compile(r"\w\.(?:com|net|org|info|tv|io|co|eu|[a-z]{2}(?![\w.]))\b")
_AROUND: Final = " \t.,;:|/·•-–—'’”«»()[]"
_WORD_ENDS: Final = re.compile(r"[\s.-]+")
_SLUG: Final = re.compile(r"[a-z0-9]{1,40}(?:-[a-z0-9]{1,40})+")
_PARTICLES: Final = frozenset(
    "von van der den de del della da di do dos das du la le el al bin ibn ben zu zum zur ter ten "
    "y e i of st mac mc af av und".split()
)


def author_names(value: Any) -> tuple[str, ...]:
    """Return the names in a value, each once, in its order; none that names nobody."""
    return _author_names(plain_text(value)[:MAX_VALUE])


@lru_cache(maxsize=64)  # a page has its author in several places
def _author_names(text: str) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for name in _names(text):
        words = folded(name)
        if words not in found and is_name(name):
            found[words] = name
            if len(found) >= MAX_AUTHORS:
                break
    return tuple(found.values())


def after_by(text: str) -> str:
    """Return what follows the "By" that a text begins with, empty where it begins otherwise."""
    match = _BY.match(text[:_BY_CHARS].lower())
    return text[match.end() :] if match else ""


def _names(text: str) -> Iterator[str]:
    text = after_by(text) or text
    text = _AFTER.split(text, maxsplit=1)[0]
    for part in _BETWEEN.split(text):
        name = after_by(part) or part
        name = _BEHIND.sub("", _INNER_BY.sub("", name)).strip(_AROUND)
        while name and _squeezed(last := name.rpartition(" ")[2]) in _DEGREES:
            name = name[: -len(last)].strip(_AROUND)
        yield _without_role(name)


def _without_role(name: str) -> str:
    """Return a name without the role behind it, where what is before that is no role, too."""
    match = _BEHIND_NAME.search(name)
    bare = name[: match.start()] if match else ""
    if " " not in bare:
        return name
    return name if any(word in _ROLES or word in _BODIES for word in folded(bare).split()) else bare


def _squeezed(word: str) -> str:
    return folded(word).replace(" ", "")


def is_name(name: str) -> bool:
    """Whether this may be the name of somebody who writes."""
    if not 2 <= len(name) <= MAX_CHARS or _BAD.search(name) or _SLUG.fullmatch(name):
        return False
    words = folded(name).split()
    if (
        not words
        or _GENERATIONS.issuperset(words)
        or len(words) > MAX_WORDS
        or any(map(str.isdigit, words))
    ):
        return False
    if not any(map(str.isalpha, name)):
        return False
    if words[-1] in ("by", "von", "par", "por", "as") or (name.islower() and " " in name):
        return False
    return not (any(word in _NEVER for word in words) or all(word in _ROLES for word in words))


@lru_cache(maxsize=64)
def likeness_to_person(name: str, site: frozenset[str] = frozenset()) -> float:
    """Return from 0 to 1 how much a name looks like that of a person.

    ``site`` are the folded names of the site, without blanks.
    """
    words = folded(name).split()
    joined = " ".join(words)
    squeezed = joined.replace(" ", "")
    if squeezed in site:
        return 0.2
    if any(word in _BODIES for word in words):
        return 0.3
    if _HOST.search(name):
        return 0.25
    if not name[0].isascii() and not name[0].islower() and not name[0].isupper():
        return 1.0 if 2 <= len(squeezed) <= 12 else 0.6  # a script without capitals
    if len(words) == 1:
        return 0.3 if name.isupper() and len(name) <= 5 else 0.5 if name[0].isupper() else 0.35
    proper = [w for w in _WORD_ENDS.split(name) if w and w.casefold() not in _PARTICLES]
    return 1.0 if all(not w[0].islower() for w in proper) and len(words) <= 5 else 0.4


def joined_names(texts: Iterable[Any]) -> tuple[str, ...]:
    """Return the names in several values, each once."""
    found: dict[str, str] = {}
    for text in texts:
        for name in author_names(text):
            found.setdefault(folded(name), name)
    return tuple(found.values())[:MAX_AUTHORS]
