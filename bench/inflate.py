"""Inflates every member of wheels with zlib on one core and compares its CRC-32; keeps nothing.

    python3 inflate.py WHEEL...

The yardstick that any Python tool could reach at best; bench-floor is the one for check.
"""
import sys
import zipfile
import zlib

CHUNK = 1 << 20


def decode(stream, member):
    """The CRC-32 of a member's bytes. Chunks are large, so that the time is zlib's."""
    stream.seek(member.header_offset + 26)
    lengths = stream.read(4)
    stream.seek(int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little"), 1)
    inflate = zlib.decompressobj(-15) if member.compress_type else None
    crc, left = 0, member.compress_size
    while left:
        data = stream.read(min(CHUNK, left))
        left -= len(data)
        crc = zlib.crc32(inflate.decompress(data) if inflate else data, crc)
    return crc


def main():
    for path in sys.argv[1:]:
        with zipfile.ZipFile(path) as archive, open(path, "rb") as stream:
            for member in archive.infolist():
                if decode(stream, member) != member.CRC:
                    sys.exit(f"{path}: {member.filename}: CRC-32 differs")


if __name__ == "__main__":
    main()
