"""Integrations: a scheduler for long crawls, a Parquet feed, providers for scrapy-poet."""
