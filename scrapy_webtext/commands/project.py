"""Read the settings of ``scrapy webtext``: the project's, overridden by the options."""

from __future__ import annotations

import argparse

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from scrapy_webtext.crawling.sites import Sites
from scrapy_webtext.errors import InputError
from scrapy_webtext.settings import PREFIX, WebtextSettings, did_you_mean, read_mapping


def sites_of(project: BaseSettings, opts: argparse.Namespace) -> Sites:
    """Return the settings of a subcommand by site; write the options to ``project``.

    The judge is `learned` unless the project or the options name another. An extractor or judge
    from the options has default options, unless it is the project's. InputError for an unknown
    setting on the command line.
    """
    if not (project.get(PREFIX + "JUDGE") or project.get(PREFIX + "JUDGE_OPTIONS")):
        project.set(PREFIX + "JUDGE", "learned", priority="addon")
    for part in ("extractor", "judge"):
        name, options = PREFIX + part.upper(), f"{PREFIX}{part.upper()}_OPTIONS"
        given = getattr(opts, part, None)
        is_given_too = project.getpriority(options) == SETTINGS_PRIORITIES["cmdline"]
        if given is not None and given != project.get(name) and not is_given_too:
            project.set(options, {}, priority="cmdline")
    for option in ("extractor", "options", "judge", "threshold"):
        value = getattr(opts, option, None)
        if value is not None:
            name = "EXTRACTOR_OPTIONS" if option == "options" else option.upper()
            project.set(PREFIX + name, value, priority="cmdline")
    favour = getattr(opts, "favour", None)
    if favour is not None:
        name = PREFIX + "EXTRACTOR_OPTIONS"
        own = read_mapping(name, project.get(name) or {})
        project.set(name, {**own, "favour": favour}, priority="cmdline")
    for name in WebtextSettings.unknown(project):
        if project.getpriority(name) == SETTINGS_PRIORITIES["cmdline"]:
            raise InputError(f"Unknown setting {name}{did_you_mean(name)}")
    return Sites(WebtextSettings.from_settings(project))
