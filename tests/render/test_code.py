"""Code of editors, highlighters and terminals in Markdown."""

import pytest

from scrapy_webtext.page import parse
from scrapy_webtext.render import render_formats, render_runs

CODE = {
    "CodeMirror 5": (
        "<div class=CodeMirror-code><div><div class=CodeMirror-gutter-wrapper>"
        "<div class=CodeMirror-linenumber>1</div></div><pre class=CodeMirror-line><b>if a:</b>"
        "</pre></div><div><div class=CodeMirror-gutter-wrapper><div class=CodeMirror-linenumber>2"
        "</div></div><pre class=CodeMirror-line><span>  b</span></pre></div></div>",
        "```\nif a:\n  b\n```",
    ),
    "CodeMirror 6": (
        "<div class=cm-editor><div class=cm-gutters aria-hidden=true><div class=cm-gutterElement>1"
        "</div><div class=cm-gutterElement>2</div></div><div class=cm-content "
        "data-language=python><div class=cm-line>if a:</div><div class=cm-line>  b</div></div>"
        "</div>",
        "```python\nif a:\n  b\n```",
    ),
    "Monaco": (
        "<div class=view-lines><div class=view-line style='top:19px'><span>&nbsp;&nbsp;b</span>"
        "</div><div class=view-line style='top:0px'><span>if&nbsp;a:</span></div></div>",
        "```\nif a:\n  b\n```",
    ),
    "Hexo": (
        "<figure class='highlight plaintext'><table><tr><td class=gutter><pre><span class=line>1"
        "</span><br></pre></td><td class=code><pre><span class=line>a</span><br></pre></td></tr>"
        "</table></figure>",
        "```\na\n```",
    ),
    "Hexo with a language": (
        "<figure class='highlight nginx'><table><tr><td class=gutter><pre><span class=line>1</span>"
        "<br><span class=line>2</span><br></pre></td><td class=code><pre><span class=line>a {"
        "</span><br><span class=line>}</span><br></pre></td></tr></table></figure>",
        "```nginx\na {\n}\n```",
    ),
    "Rouge": (
        "<div class='language-shell highlighter-rouge'><div class=highlight><code><table><tr>"
        "<td class='rouge-gutter gl'><pre class=lineno>1\n2\n</pre></td><td class=rouge-code><pre>"
        "cd b\nls\n</pre></td></tr></table></code></div></div>",
        "```shell\ncd b\nls\n```",
    ),
    "prompt": (
        "<pre><code>$</code><code> ls</code>\n<code>$</code><code> pwd</code></pre>",
        "```\n$ ls\n$ pwd\n```",
    ),
    "bar": (
        "<pre><div><span>python</span><button>Copy</button></div><code class=language-python>"
        "a = 1\nb = 2</code></pre>",
        "```python\na = 1\nb = 2\n```",
    ),
    "label without a name": (
        "<pre class=language-zig><span>zig</span>\n<code>const a = 1;</code></pre>",
        "```zig\nconst a = 1;\n```",
    ),
    "link in code": ("<p>c <code>a <a href=/b>d</a></code> e</p>", "c `a` [`d`](/b) e"),
    "code in a link": ("<p>c <a href=/b><code>d</code></a></p>", "c [`d`](/b)"),
}


@pytest.mark.parametrize("name", CODE)
def test_code_has_its_lines_and_its_language(name: str) -> None:
    html, expected = CODE[name]
    page = parse(f"<p>Before.</p>{html}<p>After.</p>")
    runs = [k for k, i in enumerate(page.runs.node) if not page.hidden[i]]
    found = render_formats(page, render_runs(page, runs), (), runs, ("main_markdown",))
    assert found["main_markdown"] == f"Before.\n\n{expected}\n\nAfter."
