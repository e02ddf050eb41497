"""Trained models, JSON files with a card each, and the one way to read and write them."""

from scrapy_webtext.models.load import ModelFile, dump_model, load_model

__all__ = ["ModelFile", "dump_model", "load_model"]
