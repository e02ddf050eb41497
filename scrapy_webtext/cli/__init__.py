"""The subcommands of ``scrapy webtext``, without Scrapy: what they read, print and write.

:mod:`scrapy_webtext.command` parses the options and fetches what lies on the web.
"""
