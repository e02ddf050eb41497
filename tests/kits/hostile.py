"""Bad pages, written by hand or generated, by name.

``SMALL`` has pages and ``LARGE`` functions from a number of elements to a page of megabytes.
"""

from collections.abc import Callable
from typing import Any, Final

from tests.kits.data import read_json

SENTENCE: Final = "The harbour was quiet that morning, and nobody saw the boat leave. "
ARTICLE: Final = f"<h1>Boat</h1><p>{SENTENCE * 4}</p><p>{SENTENCE * 5}</p><p>{SENTENCE * 3}</p>"
RUSSIAN: Final = "Утром в гавани было тихо, и никто не видел, как ушла лодка. " * 8
CHINESE: Final = "清晨的港口很安静，没有人看见那条船离开。渔民们说，他们什么也没有听到。" * 8
JAPANESE: Final = (
    "その朝、港は静かで、誰も船が出るのを見なかった。漁師たちは何も聞かなかったと言う。" * 8
)
ARABIC: Final = "كان الميناء هادئا في ذلك الصباح، ولم ير أحد القارب يغادر. " * 8


def page(body: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head>{head}<title>t</title></head><body>{body}</body></html>"


#: Names of `SMALL` pages that are no HTML by their first bytes.
NO_HTML: Final = frozenset({"PDF called HTML", "gzip called HTML"})


def _joined(parts: str | list[str | list[Any]]) -> str:
    """Return the text of parts; a part is a string, or a string and its number of repetitions."""
    many = [parts] if isinstance(parts, str) else parts
    text = "".join(part if isinstance(part, str) else part[0] * part[1] for part in many)
    for name in ("SENTENCE", "ARTICLE", "CHINESE", "JAPANESE", "ARABIC"):
        text = text.replace(f"{{{name}}}", globals()[name])
    return text


def _small(row: dict[str, Any]) -> str:
    """Return a page of small.json, from its HTML or from its body and head."""
    if "html" in row:
        return _joined(row["html"])
    return page(_joined(row["body"]), _joined(row.get("head", "")))


SMALL: Final[dict[str, str | bytes]] = {
    **{name: _small(row) for name, row in read_json(__file__, "small.json").items()},
    "empty": b"",
    "one byte": b"<",
    "one letter": b"a",
    "one high byte": b"\xff",
    "white space": b" \r\n\t\x0c\xc2\xa0 ",
    "byte order mark alone": b"\xef\xbb\xbf",
    "UTF-16 mark alone": b"\xff\xfe",
    "half a UTF-16 unit": b"\xff\xfe<\x00p\x00>\x00a\x00\xd8",
    "NUL alone": b"\x00",
    "NUL in text, tag, attribute": b"<p\x00>a\x00b</p><p cl\x00ass='\x00'>c</p>\x00",
    "NUL in an article": page(ARTICLE.replace(" ", " \x00")),
    "control characters": bytes(range(256)) * 4,
    "every byte in an article": b"<p>" + bytes(range(256)) + ARTICLE.encode() + b"</p>",
    "unclosed tag": page(ARTICLE) + "<div class='x",
    "DTD with entities": (
        "<!DOCTYPE html [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>"
        "<!ENTITY c SYSTEM 'file:///etc/passwd'>]>" + page(f"<p>&b;&b;&c; {SENTENCE}</p>")
    ),
    "zero-width characters": page(ARTICLE.replace(" ", " \u200b\u200c\u200d\ufeff\u2060")),
    "combining marks": page("<p>" + ("e" + "\u0301" * 300 + " ") * 30 + "</p>"),
    "bodies and heads again": page(ARTICLE) + "<head><body><html>" * 50 + page(ARTICLE),
    "numeric entities": page(
        "<p>" + "".join(f"&#{n};&#x{n:x};" for n in range(0, 0x110200, 0x3FFB)) + SENTENCE + "</p>"
    ),
    "links alone": page("".join(f"<p><a href=/{n}>{SENTENCE}</a></p>" for n in range(30))),
    "JSON-LD of odd types": page(
        ARTICLE,
        "".join(
            f"<script type='application/ld+json'>{value}</script>"
            for value in (
                "null", "1e999", "NaN", '"x"', "[]", "[null, 1]", '{"@type": 7}', '{"@type": [[]]}',
                '{"@graph": {"@graph": 1}}', '{"@type": "NewsArticle", "articleBody": 5}',
                '{"@type": "NewsArticle", "articleBody": ["a", null]}', '"\\ud800"', "9" * 5000,
                '{"@type": "NewsArticle", "articleBody": "\\ud800 \\u0000", "headline": {}}',
            )
        ),
    ),
    "br in rows": page("<br>".join([SENTENCE] * 20) + "<br>" * 400 + SENTENCE),
    "numbers": page("<p>" + "".join(f"{n} " for n in range(2000)) + "</p>"),
    "cut in mid-character": page(f"<p>{CHINESE}</p>").encode()[:-18][:201],
    "binary": bytes(n * n % 251 for n in range(5000)),
    "PDF called HTML": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog>>stream\n\x00\xff\xfe",
    "gzip called HTML": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + bytes(range(255, 0, -1)),
}  # fmt: skip


def declaring(json_ld: str, body: str = ARTICLE) -> str:
    return page(body, f"<script type='application/ld+json'>{json_ld}</script>")


def _letters(number: int) -> str:
    """Return another name for each number, without digits."""
    return oct(number).translate(dict(zip(b"01234567", "abcdefgh", strict=True)))


LARGE: Final[dict[str, Callable[[int], str]]] = {
    "one line": lambda n: page("<p>" + SENTENCE * (n // len(SENTENCE)) + "</p>"),
    "one line without spaces": lambda n: page("<p>" + "a" * n + "</p>"),
    "nested divs": lambda n: "<div>" * n + ARTICLE + "</div>" * n + "<p>the end</p>",
    "nested inline": lambda n: "<b>" * n + ARTICLE + "</b>" * n + "<p>the end</p>",
    "nested lists": lambda n: "<ul><li>x" * n + ARTICLE,
    "unclosed fonts": lambda n: f"<font>{SENTENCE}" * n,
    "end tags deep down": lambda n: "<div>x</p></b>" * n + ARTICLE,
    "misplaced ends deep down": lambda n: "<b>" + "<div>" * n + "</b>" * n + ARTICLE,
    "siblings": lambda n: page("<p>a</p>" * n),
    "empty siblings": lambda n: page("<i></i>" * n + ARTICLE),
    "short blocks": lambda n: page("<div>a b</div><p>c d, e.</p>" * (n // 2)),
    "links": lambda n: page("<li><a href=/x>a b</a></li>" * n),
    "blocks and links by turns": lambda n: page(f"<p>{SENTENCE}</p><p><a>link</a></p>" * n),
    "prose and headings by turns": lambda n: page(
        "".join(f"<p>{k} {SENTENCE * 2}</p><h6>Menu</h6>" for k in range(n))
    ),
    "lines": lambda n: "<p>a b c\n" * n,
    "blank lines": lambda n: page("\n" * n + ARTICLE),
    "breaks": lambda n: page("a<br>" * n),
    "brackets behind backslashes": lambda n: page(
        "<p>" + SENTENCE * 4 + r"\\( \\[ " * n + "</p>", "<script src=/MathJax.js></script>"
    ),
    "cells": lambda n: page("<table><tr>" + "<td>a</td>" * n + "</tr></table>"),
    "attributes": lambda n: f"<p {' '.join(f'a{k}=b' for k in range(n))}>{SENTENCE}</p>{ARTICLE}",
    "long attribute": lambda n: f"<p title='{'a' * n}'>{ARTICLE}</p>",
    "entities": lambda n: page("<p>" + "&amp;&eacute;&nosuch;&#233; " * n + "</p>"),
    "text between comments": lambda n: page("<p>" + "text <!-- a -->" * n),
    "unclosed comments": lambda n: page(ARTICLE) + "<!-- a " * n,
    "unclosed scripts": lambda n: page(ARTICLE) + "<script>a " * n,
    "brackets": lambda n: ARTICLE + "<" * n,
    "open brackets with names": lambda n: ARTICLE + "<a " * n,
    "end tags": lambda n: page(ARTICLE + "</b>" * n),
    "quotes in tags": lambda n: ARTICLE + "<p a='" * n,
    "tags in a tag": lambda n: f"<p a='{('<a' * 100 + '=' * 300 + '>') * (n // 100)}'>{ARTICLE}",
    "hidden icons": lambda n: page(ARTICLE + "<i aria-hidden=true hidden><b></b></i>" * n),
    "comments": lambda n: page("a<!-- b -->" * n),
    "scripts": lambda n: page("a<script>b</script>" * n),
    "pre lines": lambda n: page("<pre>" + "a b c\n" * n + "</pre>"),
    "forms": lambda n: page("<form>a<input></form>" * n),
    "words": lambda n: page("<p>" + " ".join(f"w{k}" for k in range(n)) + "</p>"),
    "hidden elements": lambda n: page(ARTICLE + "<p hidden>a b</p>" * n),
    "hidden groups": lambda n: page(
        "".join(f"<li><a>link {k}</a></li>" for k in range(n))
        + "".join(f"<p class={_letters(k)} hidden>{SENTENCE}" for k in range(n // 8))
    ),
    "closed details": lambda n: page("<details><summary>a</summary><p>b</p>" * n + ARTICLE),
    "permalinks": lambda n: page("<h2 id=a>Hooks <a href=#a>#</a></h2>" * n + ARTICLE),
    "links in a heading": lambda n: page("<h2>" + "<a href=#x>" * 60 + "<i>x</i>" * n + "</h2>"),
    "buttons in a line": lambda n: page("<p>" + "a <button>b</button> " * n + "</p>"),
    "sidenotes": lambda n: page("<p>" + "a <span class=sidenote>b " * n + "</p>"),
    "notes in notes": lambda n: page(
        "<p>"
        + "".join(f"<a href=#fn{k}>{k}</a> a " for k in range(n))
        + "".join(f"{'</div>' * 400 * (k % 400 == 0)}<div id=fn{k}>b" for k in range(n))
    ),
    "pictures": lambda n: page("<p>a<img src=b.png alt=c>d" * n),
    "lines of code": lambda n: page("<pre><code>" + "<span class=line><b>a</b></span>" * n),
    "numbered code": lambda n: page(
        "<table>" + "".join(f"<tr><td>{k}<td><code>a</code>" for k in range(n)) + "</table>"
    ),
    "code and breaks": lambda n: page("<div><code>a</code><br>" * n),
    "breaks in divs around code": lambda n: page(
        "<div>a<br>" * 1_000 + "<code>b</code><br>" * n + "</div>" * 1_000
    ),
    "quotes": lambda n: page("<blockquote>a" * n),
    "json-ld": lambda n: page(ARTICLE, "<script type='application/ld+json'>[]</script>" * n),
    "blanks in json-ld": lambda n: declaring('{"@type":' + " " * n),
    "lists in json-ld": lambda n: declaring('{"a":[' + "[]," * n + "[]]}"),
    "levels in json-ld": lambda n: declaring("[" * n + "]" * n),
    "an article in json-ld": lambda n: declaring('{"articleBody": "' + "<p>x" * n + '"}', ""),
}
