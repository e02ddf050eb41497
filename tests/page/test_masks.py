"""Masks over nodes."""

from scrapy_webtext.page.masks import either


def test_either() -> None:
    one, other = bytearray(b"\x00\x01\x00\x01"), bytearray(b"\x00\x00\x01\x01")
    assert either(one, other) == bytearray(b"\x00\x01\x01\x01")
    assert (one, other) == (bytearray(b"\x00\x01\x00\x01"), bytearray(b"\x00\x00\x01\x01"))
    assert either(bytearray(), bytearray()) == bytearray()


def test_the_first_mask_says_how_many_nodes() -> None:
    assert either(bytearray(b"\x01\x00\x00"), bytearray(b"\x00\x01")) == bytearray(b"\x01\x01\x00")
