"""The spiders, from plain to full: see the README beside scrapy.cfg."""
