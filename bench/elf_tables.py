"""How many bytes the symbol tables of a wheel's ELF files take: what check's memory is held to."""
import struct
import zipfile

# SHT_SYMTAB, SHT_STRTAB, SHT_DYNSYM, SHT_GNU_versym, SHT_GNU_verneed, SHT_GNU_verdef
TABLES = {2, 3, 11, 0x6FFFFFFF, 0x6FFFFFFE, 0x6FFFFFFD}


def of_library(stream):
    """Bytes of the tables of a 64-bit little-endian ELF file, by its section headers."""
    header = stream.read(64)
    if header[:6] != b"\x7fELF\x02\x01":
        return 0
    offset, = struct.unpack_from("<Q", header, 40)
    size, count, _ = struct.unpack_from("<HHH", header, 58)
    stream.seek(offset)
    sections = stream.read(size * count)
    total = 0
    for at in range(0, len(sections), size or 1):
        kind, = struct.unpack_from("<I", sections, at + 4)
        total += struct.unpack_from("<Q", sections, at + 32)[0] if kind in TABLES else 0
    return total


def of_wheel(path):
    with zipfile.ZipFile(path) as archive:
        total = 0
        for member in archive.infolist():
            with archive.open(member) as stream:
                if stream.read(4) == b"\x7fELF":
                    stream.seek(0)
                    total += of_library(stream)
        return total
