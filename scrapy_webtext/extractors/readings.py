"""The two readings of a paper: named sets of parameters, over which single parameters win.

``"paper"`` is the letter, worked examples deciding where a paper contradicts itself;
``"modern"`` is what works on today's pages. An extractor's parameters are None until its reading
settles them::

    READINGS = {"whitespace": PerReading("literal", "folded")}

    @dataclass(frozen=True)
    class SomeExtractor:
        reading: Reading = "modern"
        whitespace: Whitespace = BY_READING

        def __post_init__(self) -> None:
            settle(self, READINGS)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args

from scrapy_webtext.errors import check_choice

Reading = Literal["modern", "paper"]

#: Default of a parameter that the reading settles. Typed as any, so that a field has the type
#: of its settled value.
BY_READING: Final[Any] = None


class PerReading(NamedTuple):
    """The values of one parameter."""

    paper: Any  #: at the letter
    modern: Any  #: by default


class HasReading(Protocol):
    """A frozen dataclass with a reading among its parameters."""

    @property
    def reading(self) -> Reading:
        """The reading that settles what is not given."""
        ...


def settle(extractor: HasReading, readings: Mapping[str, PerReading]) -> None:
    """Give the parameters that are None the values of the extractor's reading.

    For ``__post_init__`` of a frozen dataclass. SettingsError for a reading that does not exist.
    """
    check_choice("reading", extractor.reading, get_args(Reading))
    for name, values in readings.items():
        if getattr(extractor, name) is BY_READING:
            object.__setattr__(extractor, name, getattr(values, extractor.reading))
