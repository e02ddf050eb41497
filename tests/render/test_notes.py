"""Footnotes of publishing systems are footnotes in Markdown."""

import pytest

from scrapy_webtext.page import parse
from scrapy_webtext.render import render_formats, render_runs

ONE = "A claim{0} of one, and more{1} of it."
SUP = [" <sup>1</sup>", " <sup>2</sup>"]

TWO = ((1, "First <i>note</i>."), (2, "Second."))

#: Publishing system or form -> (marks, notes).
MAKERS: dict[str, tuple[list[str], str]] = {
    "raised numbers": (SUP, "<p><sup>1</sup> First <i>note</i>.<p><sup>2</sup> Second."),
    "bold raised": (SUP, "<p><b><sup>1</sup></b> First <i>note</i>.<p><b><sup>2</sup></b> Second."),
    "brackets": (["<sup>[1]</sup>", "<sup>[2]</sup>"], "<p>[1] First <i>note</i>.<p>[2] Second."),
    "symbols": (["<sup>*</sup>", "<sup>†</sup>"], "<p><sup>*</sup> First <i>note</i>."
                "<p><sup>†</sup> Second."),
    "title": (SUP, "<h3>Notes</h3><p>1. First <i>note</i>.</p><p>2. Second.</p>"),
    "bold under a title": (SUP, "<p>Anmerkungen</p><p><b>1</b> First <i>note</i>."
                           "<p><b>2</b> Second."),
    "label": (SUP, "<div class=footnotes><p>Footnotes:<p>1) First <i>note</i>.<p>2) Second.</div>"),
    "rule": (SUP, "<hr><p>1. First <i>note</i>.<p>2. Second."),
    "list under a title": (SUP, "<h2>Footnotes</h2><ol><li>First <i>note</i>.<li>Second.</ol>"),
    "list with a name": (SUP, "<ol class=post-footnotes><li>First <i>note</i>.<li>Second.</ol>"),
    "nested elements": (SUP, "<div><div><div><p><sup>1</sup> First <i>note</i>.</div></div><div>"
                        "<div><p><sup>2</sup> Second.</div></div></div>"),
    "name of the mark": (["<span class=footnote-ref>1</span>", "<span class=footnote-ref>2</span>"],
                         "<h4>Endnotes</h4><p>1. First <i>note</i>.<p>2. Second."),
    "Word": (["<a href='file:///C:/a.htm#_ftn1' name=_ftnref1>[1]</a>",
              "<a href='file:///C:/a.htm#_ftn2' name=_ftnref2>[2]</a>"],
             "<p><a href='x.htm#_ftnref1' name=_ftn1>[1]</a> First <i>note</i>."
             "<p><a href='x.htm#_ftnref2' name=_ftn2>[2]</a> Second."),
    "Word without names": (["<a href='#_ftn1'>[1]</a>", "<a href='#_ftn2'>[2]</a>"],
                           "<p><a href='#_ftnref1'>[1]</a> First <i>note</i>."
                           "<p><a href='#_ftnref2'>[2]</a> Second."),
    "Texinfo": (["<a class=footnote id=DOCF1 href=#FOOT1><sup>1</sup></a>",
                 "<a class=footnote id=DOCF2 href=#FOOT2><sup>2</sup></a>"],
                "<div class=footnotes-segment><hr><h4>Footnotes</h4><h5><a id=FOOT1 href=#DOCF1>"
                "(1)</a></h5><p>First <i>note</i>.<h5><a id=FOOT2 href=#DOCF2>(2)</a></h5>"
                "<p>Second.</div>"),
    "LaTeXML": ([f"<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>"
                 f"{k}</sup><span class=ltx_note_outer><span class=ltx_note_content><sup "
                 f"class=ltx_note_mark>{k}</sup><span class='ltx_tag ltx_tag_note'>{k}</span>{text}"
                 "</span></span></span>" for k, text in TWO],
                ""),
    "LaTeXML apart": ([f"<span class='ltx_note ltx_role_footnotemark'><sup class=ltx_note_mark>{k}"
                       "</sup><span class=ltx_note_outer><span class=ltx_note_content><sup "
                       f"class=ltx_note_mark>{k}</sup><span class=ltx_note_type>footnotemark</span>"
                       f"<span class=ltx_tag>{k}</span></span></span></span>" for k in (1, 2)],
                      "".join(f"<p><span class='ltx_note ltx_role_footnotetext'><sup "
                              f"class=ltx_note_mark>{k}</sup><span class=ltx_note_outer><span "
                              f"class=ltx_note_content><sup class=ltx_note_mark>{k}</sup>{text}"
                              "</span></span></span>" for k, text in TWO)),
    "docutils": (["<a class='footnote-reference' href=#id3 id=id1>[1]</a>",
                  "<a class='footnote-reference' href=#id4 id=id2>[2]</a>"],
                 "<table class='docutils footnote' id=id3><tr><td class=label><a class=fn-backref "
                 "href=#id1>[1]</a><td>First <i>note</i>.</table><table class='docutils footnote' "
                 "id=id4><tr><td class=label><a class=fn-backref href=#id2>[2]</a><td>Second."
                 "</table>"),
    "definition list": (["<sup><a href=#fn1>1</a></sup>", "<sup><a href=#fn2>2</a></sup>"],
                        "<dl><dt id=fn1>1<dd>First <i>note</i>.<dt id=fn2>2<dd>Second.</dl>"),
    "span with link": (["<span class=fn><a href=#note01>1</a></span>",
                        "<span class=fn><a href=#note02>2</a></span>"],
                       "<div class=note><p>Notes<p id=note01>1. First <i>note</i>.<p id=note02>"
                       "2. Second.</div>"),
    "mdBook": (["<sup class=footnote-reference><a href=#1>1</a></sup>",
                "<sup class=footnote-reference><a href=#2>2</a></sup>"],
               "<div class=footnote-definition id=1><sup class=footnote-definition-label>1</sup><p>"
               "First <i>note</i>.</div><div class=footnote-definition id=2><sup "
               "class=footnote-definition-label>2</sup><p>Second.</div>"),
    "WordPress": (["<sup data-fn=a1 class=fn><a href=#a1 id=a1-link>1</a></sup>",
                   "<sup data-fn=b2 class=fn><a href=#b2 id=b2-link>2</a></sup>"],
                  "<ol class=wp-block-footnotes><li id=a1>First <i>note</i>. <a href=#a1-link>↩︎</a>"
                  "<li id=b2>Second. <a href=#b2-link>↩︎</a></ol>"),
    "Google Docs": (["<sup id=ftnt_ref1><a href=#ftnt1>[1]</a></sup>",
                     "<sup id=ftnt_ref2><a href=#ftnt2>[2]</a></sup>"],
                    "<hr><div><p id=ftnt1><a href=#ftnt_ref1>[1]</a> First <i>note</i>.</div><div>"
                    "<p id=ftnt2><a href=#ftnt_ref2>[2]</a> Second.</div>"),
    "sidenotes": ([f"<label class=footref><sup>{k}</sup></label><input type=checkbox><span "
                   f"class=sidenote><sup>{k}</sup> {text}</span>"
                   for k, text in TWO], ""),
    "containers": ([f"<span class=sidenote-container><sup>{k}</sup><span class=sidenote>{text}"
                    "</span></span>" for k, text in TWO], ""),
    "lines of a paragraph": (["<sup><a href=#one>1</a></sup>", "<sup><a href=#two>2</a></sup>"],
                             "<p><a name=one><sup>1</sup></a> First <i>note</i>.<br><br>"
                             "<a name=two><sup>2</sup></a> Second."),
    "anchors without text": (["<a href=#n1>[1]</a>", "<a href=#n2>[2]</a>"],
                             "<p><a name=n1></a>[1] First <i>note</i>.<br>"
                             "<a name=n2></a>[2] Second."),
    "colon": (["<a href=#fn:1>1</a>", "<a href=#fn:2>2</a>"],
              "<p id=fn:1>1: First <i>note</i>.<p id=fn:2>2: Second."),
    "list in an aside": (SUP, "<aside><ol><li>First <i>note</i>.<li>Second.</ol></aside>"),
}  # fmt: skip
MARKS = {"symbols": ("*", "†")}


def markdown_of(html: str) -> str:
    page = parse(html, url="https://a.example/b/c.html")
    shown = [k for k, i in enumerate(page.runs.node) if not page.hidden[i]]
    text = render_runs(page, shown)
    return str(render_formats(page, text, (), shown, ("main_markdown",))["main_markdown"])


@pytest.mark.parametrize("name", MAKERS)
def test_notes_of_publishing_systems_are_footnotes(name: str) -> None:
    marks, notes = MAKERS[name]
    found = markdown_of(f"<p>Before.</p><p>{ONE.format(*marks)}</p><p>After it.</p>{notes}")
    text = "A claim[^1] of one, and more[^2] of it.".replace("[^", "[^")
    notes = "[^1]: First _note_.\n\n[^2]: Second. &nbsp;"
    found = found.replace(" [^", "[^").replace("[^1]: First _note_. &nbsp;", "[^1]: First _note_.")
    assert found.rstrip() == f"Before.\n\n{text}\n\nAfter it.\n\n{notes}"


def test_notes_are_shown_if_the_page_hides_them() -> None:
    found = markdown_of(f"<p>{'Text. ' * 30}<a href=#fn-1>1</a><ol hidden><li id=fn-1>A note.</ol>")
    assert found.endswith("Text.[^1]\n\n[^1]: A note.")


@pytest.mark.parametrize(
    "html",
    [
        "<p>9 m<sup>2</sup> and 8 m<sup>3</sup></p><p><b>2.</b> Two<p><b>3.</b> Three",
        "<p>a<sup>1</sup></p><p><sup>1</sup> b",
        "<p>m<sup>2</sup></p><ol><li>a<li>b</ol>",
        "<p>a<sup>1</sup> b<sup>2</sup><p>1. c<p>2. d",
        "<h2>Notes</h2><p>a<sup>1</sup> b",
        "<p>See <a href=#s1>1</a>, <a href=#s2>2</a>.<h2 id=s1>One</h2><p>a<h2 id=s2>Two</h2><p>b",
    ],
)
def test_other_numbers_are_no_notes(html: str) -> None:
    assert "[^" not in markdown_of(html)
