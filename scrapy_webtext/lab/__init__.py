"""Tools on labelled pages: read them, train models, score extractors, draw reports."""

from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any

from scrapy_webtext.errors import import_extra


@cache
def _environment() -> Any:
    jinja2 = import_extra("jinja2", "This command", "lab")
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(resource),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["finite"] = isfinite
    return environment


def render_template(name: str, **values: Any) -> str:
    """Return a filled template of this package; MissingExtraError without jinja2."""
    html: str = _environment().get_template(name).render(**values)
    return html


@cache
def _compiled(source: str) -> Any:
    return _environment().from_string(source)


def render_source(source: str, **values: Any) -> str:
    """Return a filled template of this source; MissingExtraError without jinja2."""
    html: str = _compiled(source).render(**values)
    return html


@cache
def resource(name: str) -> str:
    """Return the text of a file of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
