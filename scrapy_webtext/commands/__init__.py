"""The subcommands of ``scrapy webtext``, which :mod:`scrapy_webtext.command` dispatches to."""
