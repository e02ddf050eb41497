"""HTML that may be embedded anywhere, whatever the page held."""

import pytest

from scrapy_webtext.page import parse
from scrapy_webtext.render import outline_of_blocks, render_html
from tests.kits.renderings import check_safe, elements_of

#: What runs code, or asks for something, if it is copied.
ATTACKS = [
    "<script>hit(1)</script>",
    "<img src=x onerror=hit(2)>",
    "<img src='https://a.example/b.png\" onerror=\"hit(3)'>",
    "<a href='javascript:hit(4)'>a</a>",
    "<a href=' \x01java\nscript\t:hit(5)'>a</a>",
    "<a href='https://a.example/\"onmouseover=\"hit(6)'>a</a>",
    "<a href='data:text/html,<script>hit(7)</script>'>a</a>",
    "<svg><script>hit(8)</script><a xlink:href='javascript:hit(9)'>a</a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=hit(10)></style></mglyph></table>",
    "<p style='background:url(javascript:hit(11))' onclick=hit(12) id=x>a</p>",
    "<iframe srcdoc='<script>hit(13)</script>'></iframe>",
    "<object data='data:text/html,<script>hit(14)</script>'>a</object>",
    "<form action='javascript:hit(15)'><button>a</button></form>",
    "<p>&lt;script&gt;hit(16)&lt;/script&gt;</p>",
    "<pre>&lt;/pre&gt;&lt;img src=x onerror=hit(17)&gt;</pre>",
    "<noscript>&lt;/noscript&gt;&lt;img src=x onerror=hit(18)&gt;</noscript>",
    "<code class='language-x\"onclick=\"hit(19)'>a</code>",
    "<pre><code class='language-x\" onclick=hit(20)'>a</code></pre>",
    "<ol start='1\" onclick=hit(21)'><li value='2\" onclick=hit(22)'>a</ol>",
    "<table><tr><th colspan='2\" onclick=hit(23)' scope='\"'>a<td>b</table>",
    "<picture><source srcset='javascript:hit(24) 1x, x.png 2x' media='\"><script>hit(25)</script>'>"
    "<img src=x.png alt='\"><script>hit(26)</script>'></picture>",
    "<base href='javascript:hit(27)//'><a href='x'>a</a>",
    "<a href='vbscript:hit(28)'>a</a><a href='JaVaScRiPt&#58;hit(29)'>b</a>",
    "<listing>&lt;img src=x onerror=hit(30)&gt;</listing><xmp><img src=x onerror=hit(31)></xmp>",
    "<template><img src=x onerror=hit(32)></template><textarea><img src=x onerror=hit(33)>",
]


def html_of(html: str, url: str | None = "https://example.com/") -> str:
    page = parse(f"<p>x</p>{html}<p>y</p>", url=url)
    return render_html(outline_of_blocks(page, range(len(page.blocks))))


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_runs_is_left(attack: str) -> None:
    for url in ("https://example.com/", None):
        written = html_of(attack, url)
        check_safe(written)
        check_safe(html_of(written))


def test_elements_and_attributes_that_mean_something_are_kept() -> None:
    written = html_of(
        "<figure id=a class=b><picture><source srcset='a.webp 2x' type=image/webp><img src=a.png "
        "srcset='b.png 100w, c.png 200w' sizes='50vw' width=90 height=80 alt='c &amp; d'></picture>"
        "<figcaption>e</figcaption></figure><pre><code class='hljs language-c'>f\n g</code></pre>"
        "<ol start=3 type=a><li>h<li value=7>i</ol><blockquote cite=x>j</blockquote>"
    )
    assert written == (
        "<p>x</p>\n<figure>\n"
        '<picture><source srcset="https://example.com/a.webp 2x" type="image/webp">'
        '<img src="https://example.com/a.png" srcset="https://example.com/b.png 100w, '
        'https://example.com/c.png 200w" sizes="50vw" alt="c &amp; d" width="90" height="80">'
        "</picture>\n<figcaption>e</figcaption>\n</figure>\n"
        '<pre><code class="language-c">f\n g</code></pre>\n'
        '<ol start="3" type="a">\n<li>h</li>\n<li value="7">i</li>\n</ol>\n'
        "<blockquote>\n<p>j</p>\n</blockquote>\n<p>y</p>"
    )


def test_rows_keep_their_empty_cells() -> None:
    written = html_of("<table><tr><th scope=col>a<td><td rowspan=2>b<td><tr><td>c<td>d</table>")
    assert [tag for tag, _ in elements_of(written)].count("td") == 5
    assert '<th scope="col">a</th>\n<td></td>\n<td rowspan="2">b</td>\n<td></td>' in written


def test_pictures_of_others_are_left_out() -> None:
    page = parse(
        "<header><img src=logo.png></header><nav><img src=n.png></nav><main><article>"
        "<img src=lead.png><p>One day</p><img src=1.png width=1><p>it rained</p>"
        "<div><img src=ad.png>Buy this</div><p>a lot.</p><img src=late.png data-src=real.png>"
        "</article></main><footer><img src=f.png></footer>"
    )
    shown = [b for b, text in enumerate(page.blocks.text) if text != "Buy this"]
    written = render_html(outline_of_blocks(page, shown))
    sources = [dict(given)["src"] for tag, given in elements_of(written) if tag == "img"]
    assert sources == ["lead.png", "real.png"]
