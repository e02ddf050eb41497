"""Makes a corpus of reference pages from Debian's packages of HTML documentation.

    python -m training.manuals OUT.jsonl.gz [--root FOLDER]

The gold text of a page is the element that contains its generator's output, without navigation.
`MANUALS` lists packages, files and selectors. A package that is not installed is skipped, and the
command names it. ``--root`` is a folder into which packages were unpacked (``dpkg -x``).

Of each package's files every second page chosen is among those with most terms, table cells and
code: short blocks are what extractors lose on reference pages.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

from lxml import html

from scrapy_webtext.page import parse


class Manual(NamedTuple):
    """The reference pages of a package: files, and the selectors of their text."""

    package: str
    files: str  #: glob below /usr/share
    within: str  #: CSS selector of the element with the text
    without: str = ""  #: CSS selector of navigation inside it
    most: int = 8


_SPHINX: Final = ".headerlink, .toctree-wrapper, .contents.topic, .viewcode-link"
_TEXINFO: Final = ".header, .contents, .contents-heading, .shortcontents, .menu, .nav-panel"
_DOCBOOK: Final = ".navheader, .navfooter, .toc, .spirit-nav, .copyright-footer, .nav"
_DOXYGEN: Final = ".toc, .lineno, address.footer, .navpath, #top, #nav-path, .summary"
#: The generator is named where no other line has it.
MANUALS: Final = (
    # Sphinx in four themes
    Manual("linux-doc-6.1", "doc/linux-doc-6.1/html/*/*.html", "[role=main]", _SPHINX, 10),
    Manual("cmake-doc", "doc/cmake-data/html/[cmg]*/*.html", "div.body", _SPHINX, 10),
    Manual("rsyslog-doc", "doc/rsyslog-doc/html/*/*.html", "div.body", _SPHINX),
    Manual("varnish-doc", "doc/varnish/html/*/*.html", "div.body", _SPHINX),
    Manual("llvm-14-doc", "doc/llvm-14-doc/html/*.html", "div.body", _SPHINX),
    Manual("bind9-doc", "doc/bind9-doc/arm/*.html", "[role=main]", _SPHINX, 6),
    Manual("cdist-doc", "doc/cdist/html/man7/*.html", "[role=main]", _SPHINX, 6),
    Manual("why3-doc-html", "doc/why3-doc-html/html/*.html", "div.body", _SPHINX, 5),
    Manual("ghc-doc", "doc/ghc-doc/html/users_guide/*.html", "div.document, div.body", _SPHINX, 6),
    # Haddock
    Manual("ghc-doc", "doc/ghc-doc/html/libraries/*/[A-Z]*.html", "#content", "#table-of-contents"),
    # Javadoc
    Manual(
        "openjdk-17-doc", "doc/openjdk-17-jre-headless/api/java.*/java*/*/*.html", "main", "", 12
    ),
    Manual("ant-doc", "doc/ant/api/org/apache/tools/ant/*/*.html", "main", "", 6),
    Manual("ant-doc", "doc/ant/manual/Tasks/*.html", "body", "", 6),
    # Doxygen
    Manual("libeigen3-doc", "doc/libeigen3-dev/html/*.html", "#doc-content", _DOXYGEN, 10),
    Manual("libgtkmm-3.0-doc", "doc/libgtkmm-3.0-doc/reference/html/*.html", "body", _DOXYGEN),
    Manual("ffmpeg-doc", "doc/ffmpeg/api/*.html", "body", _DOXYGEN, 6),
    Manual("doxygen-doc", "doc/doxygen/html/*.html", "#doc-content", _DOXYGEN, 6),
    # Texinfo, texi2html and texi2any in one file
    Manual("maxima-doc", "doc/maxima-doc/html/*.html", "body", _TEXINFO, 12),
    Manual("libfftw3-doc", "doc/libfftw3-dev/html/*.html", "body", _TEXINFO, 6),
    Manual("zsh-doc", "doc/zsh-common/html/*.html", "body", f"{_TEXINFO}, table.header"),
    Manual("gnutls-doc", "doc/gnutls-doc/html/*.html", "body", _TEXINFO, 4),
    Manual("r-doc-html", "R/doc/manual/*.html", "body", _TEXINFO, 3),
    Manual("bash-doc", "doc/bash/*.html", "body", _TEXINFO, 2),
    # gtk-doc and DocBook XSL
    Manual("libgtk-3-doc", "gtk-doc/html/gtk3/*.html", "div.refentry, div.chapter", ".toc", 10),
    Manual("libcairo2-doc", "gtk-doc/html/cairo/*.html", "div.refentry", ".toc", 6),
    Manual("libxml2-doc", "gtk-doc/html/libxml2/*.html", "body", "table.navigation", 6),
    Manual(
        "libboost1.74-doc",
        "doc/libboost1.74-doc/doc/html/boost*/*.html",
        "body",
        f"{_DOCBOOK}, body > table:first-child",
        10,
    ),
    Manual("shorewall-doc", "doc/shorewall-doc/html/*.html", "body", _DOCBOOK, 6),
    Manual("valgrind", "doc/valgrind/html/*.html", "body", _DOCBOOK, 6),
    Manual("xorg-docs", "doc/xorg-docs/*/*.html", "body", _DOCBOOK, 3),
    Manual("gnucash-docs", "doc/gnucash-docs/gnucash-*-de/*.html", "body", _DOCBOOK, 6),
    Manual("gnucash-docs", "doc/gnucash-docs/gnucash-*-ja/*.html", "body", _DOCBOOK, 5),
    Manual("gnucash-docs", "doc/gnucash-docs/gnucash-*-pt/*.html", "body", _DOCBOOK, 5),
    # AsciiDoc, MkDocs, RDoc, qdoc, fpdoc, GAPDoc, pldoc, erl_docgen, doctools, Halibut
    Manual("ntpsec-doc", "doc/ntpsec-doc/html/*.html", "#content", "#preamble"),
    Manual(
        "freetype2-doc",
        "doc/libfreetype-dev/reference/*.html",
        "article.md-content__inner",
        ".headerlink, .md-source-file, hr",
    ),
    Manual(
        "asciidoctor-doc",
        "doc/asciidoctor-doc/html/Asciidoctor/*.html",
        "main",
        ".method-source-code",
        6,
    ),
    Manual("qtbase5-doc-html", "qt5/doc/qt*/*.html", "div.content .line", ".toc, .sidebar", 10),
    Manual("fp-docs-3.2.2", "doc/fp-docs/3.2.2/*/*/*.html", "body", "table.bar, hr", 6),
    Manual(
        "gap-doc",
        "gap/doc/ref/*.html",
        "body",
        "[class^=chlink], .ChapSects, #mathjaxlink, .chlinkbot",
    ),
    Manual(
        "swi-prolog-doc", "swi-prolog/doc/Manual/*.html", "body", ".navigate, .toc, .footer", 10
    ),
    Manual("erlang-doc", "doc/erlang-doc/lib/*/doc/html/*.html", "#content", ".footer", 10),
    Manual("tcllib", "doc/tcllib/html/*.html", "div.doctools", ".doctools_toc, #toc"),
    Manual(
        "putty-doc",
        "doc/putty-doc/*.html",
        "body",
        "body > p:first-child, body > ul:first-of-type",
        3,
    ),
    # pod2html, man2html, LaTeX2HTML, MPI's doctext, groff's, by hand
    Manual("rt5-doc-html", "doc/rt5-doc-html/*/*.html", "body", "#index", 5),
    Manual("ncurses-doc", "doc/ncurses-doc/html/man/*.html", "body", ".nav, ul", 6),
    Manual("gnuplot-doc", "doc/gnuplot/htmldocs/*.html", "body", ".navigation, .ChildLinks", 6),
    Manual("mpich-doc", "doc/mpich-doc/html/www3/*.html", "body", "", 5),
    Manual("groff", "doc/groff-base/html/mom/*.html", "body", "#top > table:first-child, .nav", 4),
    Manual("slurm-wlm-doc", "doc/slurm-wlm/html/*.html", ".content", ".slurm-search", 6),
    Manual("swig4.0-doc", "doc/swig4.0-doc/Manual/*.html", "body", ".sectiontoc", 5),
    Manual("golang-1.19-doc", "doc/golang-1.19-doc/html/*.html", "body", "", 2),
    Manual("vim-doc", "doc/vim/html/*.html", "body", "", 4),
    Manual("stl-manual", "doc/stl-manual/html/*.html", "body", "", 4),
    Manual("grass-doc", "doc/grass-doc/html/[gr]*.html", "#container", ".header", 6),
    # LibreOffice's help, in five languages
    *(
        Manual(
            f"libreoffice-help-{name.lower()}",
            f"libreoffice/help/{name}/text/s*/*/*.html",
            "#DisplayArea",
            ".relatedtopics, .howtoget",
            most,
        )
        for name, most in (("de", 4), ("ru", 6), ("zh-CN", 8), ("ja", 5), ("es", 4))
    ),
)

#: Files with fewer, or with more bytes are not used; nor texts with fewer characters.
LEAST_BYTES: Final = 3_000
MOST_BYTES: Final = 400_000
LEAST_CHARS: Final = 1_000
#: Pages with most short blocks are chosen among this many times the pages wanted.
CHOICE: Final = 3
_SHORT: Final = re.compile(rb"<(?:dt|td|pre|code)\b", re.IGNORECASE)
_INDEX: Final = re.compile(
    "index|search|toc|contents|_source|functions_|hierarchy|members", re.IGNORECASE
)


def write_manuals(path: str | PathLike[str], root: str | PathLike[str] = "/") -> list[str]:
    """Write the corpus, and return the packages that are not installed."""
    missing = []
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for manual in MANUALS:
            pages = list(read_manual(manual, Path(root, "usr/share")))
            file.writelines(json.dumps(page, ensure_ascii=False) + "\n" for page in pages)
            if not pages:
                missing.append(f"{manual.package} ({manual.files})")
    return missing


def read_manual(manual: Manual, share: Path) -> Iterator[dict[str, Any]]:
    """Yield the pages of a package as rows of a corpus."""
    number = 0
    for path in choose_files(manual, share):
        page = path.read_bytes()
        text = gold_text(page, manual.within, manual.without)
        if len(text) >= LEAST_CHARS and number < manual.most:
            number += 1
            name = f"{manual.package}/{'-'.join(path.relative_to(share).parts[2:])}"
            row = {"id": name, "url": None, "type": "documentation"}
            yield row | {"html": page.decode("utf-8", "replace"), "text": text}


def choose_files(manual: Manual, share: Path) -> Sequence[Path]:
    """Return more files than wanted: by chance, and in turn those with most short blocks."""
    found = [path for path in share.glob(manual.files) if not _INDEX.search(path.name)]
    found.sort(key=lambda path: crc32(str(path.relative_to(share)).encode()))
    fits = [path for path in found if LEAST_BYTES <= path.stat().st_size <= MOST_BYTES]
    some = fits[: CHOICE * manual.most]
    full = sorted(some, key=lambda path: -len(_SHORT.findall(path.read_bytes())))
    turns = (path for pair in zip(full, some, strict=True) for path in pair)
    return list(dict.fromkeys(turns))


def gold_text(page: bytes, within: str, without: str) -> str:
    """Return the text of the element that ``within`` selects, without those of ``without``."""
    root = container(page, within, without)
    source = "" if root is None else html.tostring(root, encoding="unicode")
    return "\n".join(parse(source).blocks.text)


def container(page: bytes, within: str, without: str) -> html.HtmlElement | None:
    """Return the first element that ``within`` selects, without those of ``without``."""
    root = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    for element in root.cssselect(without) if without else ():
        if element.getparent() is not None:
            element.drop_tree()
    return next(iter(root.cssselect(within)), None)


def main() -> None:
    """Write the corpus, and name the packages that are not installed."""
    parser = argparse.ArgumentParser("training.manuals", description=__doc__.partition("\n")[0])
    parser.add_argument("output", metavar="OUT.jsonl.gz")
    parser.add_argument("--root", default="/", metavar="FOLDER", help="of unpacked packages (/)")
    options = parser.parse_args()
    for name in write_manuals(options.output, options.root):
        print(f"no pages of {name}")


if __name__ == "__main__":
    main()
