"""Rules of the public ftr-site-config format (FiveFilters): a file per site, a directive per line.

::

    title: //h1                        title, author, date   where the values are
    body: //div[@id='story']           body                  alternatives: the first that matches
    strip: //div[@class='ad']          strip                 no text
    strip_id_or_class: sidebar         no text, by a part of an id or class
    strip_image_src: /ads/             no picture, by a part of its address
    next_page_link: //a[@rel='next']   the next page of an article

Other directives have no effect: they configure servers or repair broken HTML before it is parsed.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.errors import SettingsError, shown
from scrapy_webtext.page.selectors import NEXT_PAGE, read_selectors

logger = logging.getLogger("scrapy_webtext")

#: Directive -> (key of a rule, format of the selector).
_DIRECTIVES: Final[Mapping[str, tuple[str, str]]] = {
    "title": ("title", "{}"),
    "author": ("authors", "{}"),
    "date": ("published", "{}"),
    "body": ("within", "{}"),
    "strip": ("without", "{}"),
    "strip_id_or_class": ("without", '[id*="{0}"], [class*="{0}"]'),
    "strip_image_src": ("without", 'img[src*="{}"]'),
    "next_page_link": (NEXT_PAGE, "{}"),
}


def read_rule(path: Path) -> dict[str, Any]:
    """Return the rule in a file; an empty rule if the file cannot be read.

    A line whose XPath cannot be translated into CSS is left out and logged.
    """
    rule: dict[str, list[str]] = {}
    try:
        lines = path.read_text("utf-8-sig", "replace").splitlines()
    except OSError as error:
        logger.warning("webtext: WEBTEXT_SITES: %s cannot be read: %s", path, error)
        return {}
    for number, line in enumerate(lines, 1):
        name, _, value = (part.strip() for part in line.partition(":"))
        if not value or name not in _DIRECTIVES:
            continue
        key, form = _DIRECTIVES[name]
        if form != "{}":
            value = value.strip("'\"").replace("\\", "").replace('"', "")
        selector = form.format(value)
        if value.startswith("(") and value.endswith(")[1]"):  # only one match is used
            selector = value[1 : -len(")[1]")]
        try:
            read_selectors({key: selector})
        except SettingsError as error:
            logger.info("webtext: line %d of %s is not used: %s", number, path, shown(str(error)))
            continue
        rule.setdefault(key, []).append(selector)
    return rule
