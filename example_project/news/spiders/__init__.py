"""The spiders of the example; the README next to scrapy.cfg describes them."""
