"""Which text of a page a browser shows, and in which blocks."""

import time

import pytest

from scrapy_webtext import extract
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.parse import open_templates

STORY = "<p>" + "Rain fell on the town all day long, and nobody saw the sun. " * 12 + "</p>"
LONG = "It had rained for a week when the dam above the town began to leak. "
SHOWN = f"<p>{LONG * 3}</p>"
MENU = f"<p>{'Menu and more of it. ' * 40}</p>"


def shown(html: str | Page) -> list[str]:
    page = html if isinstance(html, Page) else parse(html)
    blocks = page.blocks
    return [
        text for text, node in zip(blocks.text, blocks.node, strict=True) if not page.hidden[node]
    ]


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        ("<p>  one \n\t two </p>\n<p> </p><p>three</p>", ["one two", "three"]),
        ("<p>foo<b>bar</b> <i>baz</i>qux</p><div>next</div>", ["foobar bazqux", "next"]),
        ("<p>a<br>b<br><br>c<br> <br/>d</p>", ["a\nb", "c", "d"]),
        ("<pre>\ndef f():\n   return <b>1</b>\n\n</pre>a\n b", ["def f():\n   return 1", "a b"]),
        ("<p>a</p><script>'no'</script><style>p {}</style><!-- no --><p>b</p>", ["a", "b"]),
        ("<p>one<!-- x --> two</p>", ["one two"]),
        ("<html><body><p>a</p></body></html><p>late</p>", ["a", "late"]),
        (
            "<p>It rained.<br>\u200d<br></p><p>\x0b\u200b\x0b</p><p>نمی\u200cخواهم</p>",
            ["It rained.", "نمی\u200cخواهم"],
        ),
        # in a line of text
        ("<p>The value of <a>the link<svg/></a> was kept.", ["The value of the link was kept."]),
        ("<p>Press<button>Save</button>now.", ["Press Save now."]),
        ("<p><button>Springs</button> come late.", ["Springs come late."]),
        ("<div>Press <a>this<svg/></a> to go on.</div>", ["Press this to go on."]),
        ("<p>It rained.</p><button>Share</button><p>No.", ["It rained.", "Share", "No."]),
        ("<p>It rained. <button>Share</button></p>", ["It rained.", "Share"]),
        ("<div><a><svg/>Home</a><a><svg/>News</a></div>", ["Home", "News"]),
        ("<div><button>Like</button><button>Share</button></div>", ["Like", "Share"]),
        ("<h2>Storks<iframe></iframe> are back</h2>", ["Storks are back"]),
        ("<p>Read<svg/>more of it.", ["Read more of it."]),
        ("<p>A mill<span hidden>, no,</span> stood <i hidden>x</i>here.", ["A mill stood here."]),
        ("<div>It <div hidden><p>x</p></div>rained.</div>", ["It rained."]),
        # links of headings to themselves
        ("<h2>Hooks<a href=#hooks>¶</a></h2>", ["Hooks"]),
        ("<h2 id=a><a href=#a>#</a> Hooks</h2>", ["Hooks"]),
        ("<h2 id=a>Hooks <a href=#a>Link to this heading</a></h2>", ["Hooks"]),
        ("<div><h2 id=a>Hooks</h2><a href=#a>Section titled “Hooks”</a></div>", ["Hooks"]),
        ("<h2 id=a><a href=#a>Hooks</a></h2>", ["Hooks"]),
        ("<h2>The <a href=/hooks>hooks</a> of it</h2>", ["The hooks of it"]),
        ("<h2 id=a>Hooks <a href=#b>and more</a></h2>", ["Hooks and more"]),
        ("<h2><a href=#x>#</a></h2>", ["#"]),
        ("<h2>Hooks</h2><a href=/edit>Edit</a>", ["Hooks", "Edit"]),
        # never shown
        (
            f"<head><title>Rain</title></head><body>{SHOWN}<template><p>Row</p></template>"
            "<select><option>Red</option></select><textarea>Draft</textarea>"
            "<video>Get a newer browser</video><noscript><p>Scripts are off</p></noscript>"
            "<audio>x</audio><object>x</object></body>",
            [(LONG * 3).strip()],
        ),
    ],
)
def test_blocks_of_shown_text(html: str, blocks: list[str]) -> None:
    assert shown(html) == blocks


HIDING_STYLES = (
    "display:/**/none|display:n\\6fne|content-visibility:hidden|opacity:0|opacity:.0 !important|"
    "font-size:0px|font-size:0|transform:scale(0)|text-indent:-9999px|left:-9999px|zoom:0.001|"
    "height:0;overflow:hidden|clip:rect(0,0,0,0)|clip-path:inset(100%)|color:transparent"
).split("|")
SHOWING_STYLES = (
    "opacity:0.9|font-size:0.9em|transform:scale(0.5)|left:-10px|zoom:1|height:0|"
    "opacity:0;opacity:1|font-size:16px|color:transparent;-webkit-background-clip:text"
).split("|")


@pytest.mark.parametrize(
    ("element", "is_shown"),
    [
        ("<p hidden>WORD</p>", False),
        ("<p hidden=hidden>WORD</p>", False),
        ("<div popover>WORD</div>", False),
        ("<div aria-hidden=true>WORD</div>", False),
        ("<div style='color:red; display : none'>WORD</div>", False),
        ("<div style='visibility:hidden!important'>WORD</div>", False),
        *((f"<div style='{style}'>WORD {LONG}</div>", False) for style in HIDING_STYLES),
        *((f"<div style='{style}'>WORD {LONG}</div>", True) for style in SHOWING_STYLES),
        *(
            (f"<p>x <{tag}>WORD</{tag}>", False)
            for tag in ("rp", "meter", "progress", "math><annotation")
        ),
        (f"<div><template shadowrootmode=open>x</template><p>WORD {LONG}</div>", False),
        (f"<div><template shadowrootmode=open><slot></slot></template><p>WORD {LONG}</div>", True),
        ("<dialog>WORD</dialog>", False),
        ("<details><summary>More</summary>WORD</details>", True),
        (f"<div style='display:none'><p>WORD {LONG * 3}</p></div>{SHOWN * 3}", False),
        (f"<div hidden>WORD {LONG * 9}</div><div class=a>{LONG * 9}</div>", False),
        ("<section hidden><p style='display:block'>WORD</p></section>", False),
        ("<p style='display:none; display:block'>WORD</p>", True),
        ("<p aria-hidden=false>WORD</p>", True),
        ("<p hidden=until-found>WORD</p>", True),
        ("<dialog open>WORD</dialog>", True),
        ("<p class='hidden d-none'>WORD</p>", True),
        # scripts and readers show these later
        (f"<div hidden id='S:1'><p>WORD {LONG}</p></div>", True),
        (f"<a href='#b'>Two</a><div id=b style='display:none'>WORD {LONG * 2}</div>", True),
        (f"<div role=tabpanel hidden>WORD {LONG * 2}</div>", True),
        (f"<p style='opacity:0'>WORD {LONG}</p>" + "<p style='transform:scale(0)'>a" * 2, True),
    ],
)
def test_text_that_attributes_hide(element: str, is_shown: bool) -> None:
    text = " ".join(shown(SHOWN + element))
    assert ("WORD" in text) is is_shown
    assert LONG.strip() in text


@pytest.mark.parametrize(
    ("html", "is_shown"),
    [
        (f"<p>Loading</p><div style='display:none'>{STORY}</div>", True),
        ("<div hidden>nobody saw the sun</div>", True),
        (f"<h1>Forum</h1><noscript>{STORY}</noscript>", True),
        (f"{MENU}<noscript>{STORY * 3}</noscript>", True),
        (f"{MENU * 2}<noscript>{STORY * 3}</noscript>", False),
        (f"{SHOWN * 3}<noscript>{'<p>nobody saw the sun</p>' * 200}</noscript>", False),
        *(
            (f"<h1>Rain</h1><script id=a type='{kind}'>{STORY}</script><p>Loading</p>", True)
            for kind in ("text/template", "TEXT/X-Handlebars-Template", "text/html")
        ),
        (f"{MENU}<script type=text/template>{STORY * 3}</script>", True),
        (f"{MENU * 4}<script type=text/template>{STORY * 3}</script>", False),
        (f"<script>var a = '<script type=text/template>{STORY}';</script>Loading", False),
    ],
)
def test_the_main_part_is_read_where_only_scripts_show_it(html: str, is_shown: bool) -> None:
    page = parse(f"<body>{html}</body>")
    assert page.source == f"<body>{html}</body>"
    assert ("nobody saw the sun" in " ".join(shown(page))) is is_shown
    if is_shown and "<script" in html:
        assert "nobody saw the sun" in extract(page.source).main_text


def test_only_scripts_of_markup_become_templates() -> None:
    html = (
        "<SCRIPT src=a.js></SCRIPT><script data-x=1 TYPE = 'text/x-tmpl'><b>1</b></script >"
        "<script type='text/javascript'>if (a < b) {}</script><scripts type=text/template>"
    )
    assert open_templates(html) == html.replace(
        "<script data-x=1 TYPE = 'text/x-tmpl'><b>1</b></script >",
        "<template><b>1</b></template >",
    )


@pytest.mark.parametrize(
    "html",
    [
        f"<script type=text/template>{STORY}<script type=text/template>{STORY}</script>",
        f"<script type=text/template>{'<script type=text/template>' * 20_000}{STORY}",
        f"<script type=text/template>{'<div>' * 5_000}{STORY}</script>",
        f"<script type=text/template>{STORY}</script>" * 500,
        "<script type=text/template" * 50_000 + ">" + STORY,
    ],
    ids=["within another", "many open", "deep", "many", "no end of tags"],
)
def test_odd_templates_cost_no_more_than_their_length(html: str) -> None:
    began = time.process_time()
    parse(html).blocks  # noqa: B018
    assert time.process_time() - began < 2
