"""The subcommands of ``scrapy webtext``, without Scrapy: their input and output.

:mod:`scrapy_webtext.command` parses the options and fetches addresses.
"""
