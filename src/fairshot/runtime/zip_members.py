"""Members of zip archives, also those compressed with Zstandard, which zipfile knows from Python 3.14 on."""

import importlib
import struct
import zipfile
import zlib

from fairshot.runtime.errors import FairshotError

ZSTANDARD = 93
HEADER = struct.Struct("<26xHH")  # before each member: the lengths of its name and of what else is said of it come last


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The content of a member."""
    member = archive.getinfo(name)
    try:
        return archive.read(member)
    except NotImplementedError:
        if member.compress_type != ZSTANDARD:
            raise
    content = _decompress(_packed(archive, member), str(archive.filename))
    if zlib.crc32(content) != member.CRC:
        raise zipfile.BadZipFile(f"Bad CRC-32 for file {name!r}")
    return content


def _packed(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """The bytes of a member as they stand in the archive."""
    file = archive.fp
    assert file is not None, "the archive is open"
    file.seek(member.header_offset)
    file.seek(sum(HEADER.unpack(file.read(HEADER.size))), 1)
    return file.read(member.compress_size)


def _decompress(packed: bytes, where: str) -> bytes:
    try:
        arrow = importlib.import_module("pyarrow")
    except ImportError as error:
        raise FairshotError(
            f"reading {where} needs pyarrow, which is not installed: pip install 'fairshot[inspect]', or use Python "
            "3.14 or later"
        ) from error
    return bytes(arrow.input_stream(arrow.BufferReader(packed), compression="zstd").read())
