"""Pages as bad as the web has them, written by hand or by rule, each with a name.

``SMALL`` are tried in every way; ``LARGE`` are made on demand, since they weigh megabytes.
``CODED`` are bodies with the type that a server may send with them.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from tests.kits.data import read_json

SENTENCE: Final = "The harbour was quiet that morning, and nobody saw the boat leave. "
ARTICLE: Final = f"<h1>Boat</h1><p>{SENTENCE * 4}</p><p>{SENTENCE * 5}</p><p>{SENTENCE * 3}</p>"
RUSSIAN: Final = "Утром в гавани было тихо, и никто не видел, как ушла лодка. " * 8
CHINESE: Final = "清晨的港口很安静，没有人看见那条船离开。渔民们说，他们什么也没有听到。" * 8
JAPANESE: Final = (
    "その朝、港は静かで、誰も船が出るのを見なかった。漁師たちは何も聞かなかったと言う。" * 8
)
ESCAPES: Final = "\\ud800\\x3cp " + SENTENCE
ARABIC: Final = "كان الميناء هادئا في ذلك الصباح، ولم ير أحد القارب يغادر. " * 8


def page(body: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head>{head}<title>t</title></head><body>{body}</body></html>"


#: Of the next, those that are no HTML by their first bytes.
NO_HTML: Final = frozenset({"PDF called HTML", "gzip called HTML"})

SMALL: Final[dict[str, str | bytes]] = {
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
    "lone surrogates": page(f"<p>{SENTENCE}\ud800 {SENTENCE}\udfff</p><p title='\udc80'>x</p>"),
    "control characters": bytes(range(256)) * 4,
    "every byte in an article": b"<p>" + bytes(range(256)) + ARTICLE.encode() + b"</p>",
    "no characters at all": "\ufffe\uffff\ufdd0\U0001ffff" * 20,
    "no tag": SENTENCE * 5,
    "end tags alone": "</p></div></body></html></b></nothing>" * 20,
    "start tags alone": "<p><div><b><i><ul><li><table><tr><td><a><h1>" * 20,
    "brackets": "<" * 500 + ">" * 500 + "<>" * 500 + "</>" * 100 + "< p>" * 100,
    "unclosed tag": page(ARTICLE) + "<div class='x",
    "unclosed comment": f"{ARTICLE}<!-- {ARTICLE}",
    "unclosed comment first": f"<!-- {ARTICLE}",
    "odd comments": f"<!--><!---><!--->-->{ARTICLE}<!----!><!- x -><!x><!-- -- -- -->",
    "unclosed script": f"{ARTICLE}<script>var a = '<p>{SENTENCE}</p>'; {ARTICLE}",
    "unclosed style": f"{ARTICLE}<style>p {{ }} {ARTICLE}",
    "unclosed title": f"<title>{ARTICLE}",
    "unclosed textarea": f"{ARTICLE}<textarea>{ARTICLE}",
    "unclosed CDATA": f"{ARTICLE}<![CDATA[ {ARTICLE}",
    "unclosed instruction": f"{ARTICLE}<?php echo '{ARTICLE}",
    "scripts in scripts": f"<script><script><!--<script></script>{ARTICLE}--></script>",
    "quotes": "<p title=\"'><a href='\">\"'`" * 50 + ARTICLE,
    "attributes without end": "<p a b c= d='e f=\"g h=`i " * 20,
    "the same attribute": f"<p {'class=x ' * 200}>{SENTENCE}</p>",
    "plaintext": f"{ARTICLE}<plaintext>{ARTICLE}</plaintext></body>",
    "xmp and listing": f"<xmp>{ARTICLE}</xmp><listing>{ARTICLE}</listing>",
    "base": page(ARTICLE + "<a href='//['>x</a>", "<base href='http://[::1'><base href='\x01'>"),
    "frames": "<frameset><frame src=a><frame src=b><noframes>" + ARTICLE + "</noframes></frameset>",
    "frames in frames": "<iframe><iframe>" * 50 + ARTICLE + "</iframe>" * 60,
    "XHTML": (
        "<?xml version='1.0' encoding='utf-8'?><?xml-stylesheet href='x'?>"
        "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:x='urn:x' xml:lang='en'><body>"
        f"<x:p x:a='b'>{SENTENCE}</x:p><x:x/><p/><div/>{ARTICLE}<![CDATA[<b>]]></body></html>"
    ),
    "XML that names no namespace": "<a:b:c d:e:f=g><:><a:>" + ARTICLE + "</a:b:c>",
    "DTD with entities": (
        "<!DOCTYPE html [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>"
        "<!ENTITY c SYSTEM 'file:///etc/passwd'>]>" + page(f"<p>&b;&b;&c; {SENTENCE}</p>")
    ),
    "SVG": page(
        f"<svg><title>{SENTENCE}</title><style>p{{}}</style><text>{SENTENCE}</text>"
        f"<foreignObject>{ARTICLE}</foreignObject><script>x</script><a xlink:href='#'>y</a></svg>"
    ),
    "MathML": page(f"<math><mi>x</mi><mtext><p>{SENTENCE}</p></mtext></math>{ARTICLE}"),
    "right to left": page(f"<p dir=rtl>{ARABIC}</p><p>\u202e{SENTENCE}\u202c</p><p>{ARABIC}</p>"),
    "zero-width characters": page(ARTICLE.replace(" ", " \u200b\u200c\u200d\ufeff\u2060")),
    "zero-width characters alone": page("<p>" + "\u200b\ufeff\u00ad\u2060" * 200 + "</p>"),
    "combining marks": page("<p>" + ("e" + "\u0301" * 300 + " ") * 30 + "</p>"),
    "every line end": "a\x0bb\x0cc\x1cd\x1de\x1ef\x85g\u2028h\u2029i\r\nj\rk\n" * 20 + ARTICLE,
    "bodies and heads again": page(ARTICLE) + "<head><body><html>" * 50 + page(ARTICLE),
    "end of html in mid-page": (
        "<html><head><title>t</title></head><body><div>menu</div></html>"
        f"<div id='content'>{ARTICLE}</div></body></html>"
    ),
    "body only after html": f"<html><body></body></html>{ARTICLE}<p>{CHINESE}</p>",
    "numeric entities": page(
        "<p>" + "".join(f"&#{n};&#x{n:x};" for n in range(0, 0x110200, 0x3FFB)) + SENTENCE + "</p>"
    ),
    "huge numbers in entities": page("<p>&#99999999999999999999;&#xffffffffffff;&#-1;&#x;</p>"),
    "tables in tables": "<table><tr><td>" * 60 + ARTICLE,
    "table without rows": f"<table>{ARTICLE}<tr>{ARTICLE}<td>{ARTICLE}</table>",
    "forms in forms": "<form><input><select><option>" * 60 + ARTICLE,
    "nested links": "<a href=x>" * 300 + ARTICLE,
    "links alone": page("".join(f"<p><a href=/{n}>{SENTENCE}</a></p>" for n in range(30))),
    "formatting across blocks": "<b><p><i><div><u><li></b></p></i>x</div></u>" * 60 + ARTICLE,
    "JSON-LD that is none": page(
        ARTICLE, "<script type='application/ld+json'>{{\"a\": [[[[</script>" * 5
    ),
    "JSON-LD that is deep": page(
        ARTICLE,
        "<script type='application/ld+json'>" + "[" * 20_000 + "]" * 20_000 + "</script>",
    ),
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
    "meta of odd kinds": page(
        ARTICLE,
        "<meta><meta name><meta property=og:type><meta content=x><meta http-equiv=refresh>"
        "<link rel><link href='//['><meta charset=''><html lang><meta name=x content='\x01'>",
    ),
    "noscript, template, hidden": page(
        f"<noscript>{ARTICLE}</noscript><template>{ARTICLE}</template>"
        f"<div hidden style='display:none'>{ARTICLE}</div><dialog>{ARTICLE}</dialog>"
    ),
    "br in rows": page("<br>".join([SENTENCE] * 20) + "<br>" * 400 + SENTENCE),
    "pre": page("<pre>\n" + (SENTENCE + "\n\n  ") * 20 + "<b>\n</pre></pre></pre>" + ARTICLE),
    "one long word": page("<p>" + "a" * 20_000 + "</p>"),
    "numbers": page("<p>" + "".join(f"{n} " for n in range(2000)) + "</p>"),
    "punctuation": page("<p>" + "!?.,;:…—。，！？" * 300 + "</p>"),
    "digits of other scripts": page("<p>" + "²③٣४௧፩㊅½Ⅷ𝟘 " * 60 + "</p>"),
    "Japanese": page(f"<h1>船</h1><p>{JAPANESE}</p><p>{JAPANESE}</p>"),
    "cut in mid-character": page(f"<p>{CHINESE}</p>").encode()[:-18][:201],
    "binary": bytes(n * n % 251 for n in range(5000)),
    "PDF called HTML": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog>>stream\n\x00\xff\xfe",
    "gzip called HTML": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + bytes(range(255, 0, -1)),
}  # fmt: skip


class Coded(NamedTuple):
    body: bytes
    content_type: str
    text: str  #: what a reader sees in it; empty where nobody could


def _coded(row: dict[str, str]) -> Coded:
    """Return the page of a row of coded.json: text, codec, charset of the header and of <meta>."""
    text = globals()[row["text"]]
    head = f"<meta charset='{row['meta']}'>" if "meta" in row else ""
    content_type = "text/html" + (f"; charset={row['header']}" if "header" in row else "")
    body = page(f"<h1>x</h1><p>{text}</p>", head).encode(row["codec"])
    return Coded(body, content_type, text.strip() if row.get("readable", True) else "")


_ROWS: Final = read_json(__file__, "coded.json")
CODED: Final[dict[str, Coded]] = {name: _coded(row) for name, row in _ROWS.items()}


def declaring(json_ld: str, body: str = ARTICLE) -> str:
    return page(body, f"<script type='application/ld+json'>{json_ld}</script>")


def _letters(number: int) -> str:
    """Return a name of its own for each number, without digits."""
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
    "json-ld": lambda n: page(ARTICLE, "<script type='application/ld+json'>[]</script>" * n),
    "blanks in json-ld": lambda n: declaring('{"@type":' + " " * n),
    "lists in json-ld": lambda n: declaring('{"a":[' + "[]," * n + "[]]}"),
    "levels in json-ld": lambda n: declaring("[" * n + "]" * n),
    "an article in json-ld": lambda n: declaring('{"articleBody": "' + "<p>x" * n + '"}', ""),
}
