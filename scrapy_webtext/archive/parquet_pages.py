"""How large the pages of a Parquet column are, by their headers, before anything is unpacked.

A column is stored in pages, each with a header in Thrift's compact protocol that says what it
takes packed and unpacked. pyarrow sets that memory aside without asking, and no value of a flat
column is larger than the largest page of its column.
Source: parquet.thrift (PageHeader) and Thrift's compact protocol specification.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

UNPACKED_SIZE: Final = 2  #: fields of a PageHeader
PACKED_SIZE: Final = 3

#: A header takes some tens of bytes, but statistics in it can hold values.
FIRST_READ: Final = 1 << 8
MAX_HEADER: Final = 1 << 24

MAX_DEPTH: Final = 8

TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
INTEGERS: Final = frozenset({4, 5, 6})


def largest_page(file: BinaryIO, start: int, end: int) -> int:
    """Return the bytes that the largest page between two offsets takes unpacked.

    ValueError where no headers stand there.
    """
    return max(_unpacked_sizes(file, start, end), default=0)


def _unpacked_sizes(file: BinaryIO, start: int, end: int) -> Iterator[int]:
    while start < end:
        header, length = _read_header(file, start)
        packed, unpacked = header.get(PACKED_SIZE, -1), header.get(UNPACKED_SIZE, -1)
        if packed < 0 or unpacked < 0:
            raise ValueError(f"no page header at byte {start}")
        yield unpacked
        start += length + packed


def _read_header(file: BinaryIO, offset: int) -> tuple[dict[int, int], int]:
    """Return the integers of the header at this offset, by field, and its length."""
    size = FIRST_READ
    while True:
        file.seek(offset)
        data = file.read(size)
        reader = _Reader(data)
        try:
            return reader.struct(), reader.at
        except IndexError:
            if len(data) < size or size >= MAX_HEADER:
                raise ValueError(f"no page header at byte {offset}") from None
            size *= 16


class _Reader:
    """Reads Thrift's compact protocol; IndexError where the data ends."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def struct(self, depth: int = 0) -> dict[int, int]:
        """Return the integers of a struct by field; all else is passed over."""
        if depth > MAX_DEPTH:
            raise ValueError("page header nested too deep")
        found: dict[int, int] = {}
        field = 0
        while kind := self._byte():
            field = field + (kind >> 4) if kind >> 4 else self._integer()
            if kind & 15 in INTEGERS:
                found[field] = self._integer()
            elif kind & 15 not in (TRUE, FALSE):
                self._pass(kind & 15, depth)
        return found

    def _pass(self, kind: int, depth: int) -> None:
        if kind in INTEGERS:
            self._varint()
        elif kind == STRUCT:
            self.struct(depth + 1)
        elif kind in (LIST, SET):
            self._pass_list(depth)
        elif kind == BINARY:
            length = self._varint()
            self.at += length
        elif kind in (TRUE, FALSE, BYTE):  # in a list
            self.at += 1
        elif kind == DOUBLE:
            self.at += 8
        else:
            raise ValueError(f"no type {kind} in a page header")

    def _pass_list(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise ValueError("page header nested too deep")
        head = self._byte()
        for _ in range(self._varint() if head >> 4 == 15 else head >> 4):
            self._pass(head & 15, depth + 1)

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _varint(self) -> int:
        value = shift = 0
        while shift < 70:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise ValueError("no integer in a page header")

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]
