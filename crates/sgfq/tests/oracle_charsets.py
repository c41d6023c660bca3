"""Compares the player and event names that `sgfq get` prints with the results of Python's codecs on the same bytes, in the
charset that `sgfq get` names. Also compares that charset with `CA`.

    python3 crates/sgfq/tests/oracle_charsets.py SGFQ INPUT...

Inputs are files, or archives `.tar.zst`, which zstd unpacks. This script scans the root of a game itself. It exits
with status 1 if a value differs.
"""

import argparse
import codecs
import collections
import json
import os
import subprocess
import tarfile
import tempfile

IDENTS = {"PB": "pb", "PW": "pw", "EV": "ev", "PC": "pc", "GN": "gn", "SO": "so", "RE": "re", "DT": "dt"}

# The codecs of Python for the names of the Encoding Standard, which reads these charsets with their usual extensions.
CODECS = {
    "GBK": "gb18030",
    "gb18030": "gb18030",
    "Shift_JIS": "cp932",
    "EUC-JP": "euc_jp",
    "EUC-KR": "cp949",
    "Big5": "cp950",
    "ISO-8859-1": "latin-1",
    "windows-1252": "cp1252",
    "UTF-8": "utf-8",
}

# Lead bytes of characters of two bytes, whose second may be a `]` or a `\\`.
DOUBLE = {"gb18030", "cp932", "cp949", "cp950"}


def skip(data, at, double):
    """The place after the character at `at`."""
    if double and data[at] >= 0x81 and not (double == "cp932" and 0xA0 <= data[at] <= 0xDF) and at + 1 < len(data):
        return at + 2
    return at + 1


def root(game, codec):
    """The values of the root as they are written; None if it is not plain."""
    double = codec if codec in DOUBLE else ""
    found = {}
    at = game.find(b";") + 1
    while at < len(game):
        byte = game[at : at + 1]
        if byte.isspace():
            at += 1
        elif byte.isalnum():
            start = at
            while game[at : at + 1].isalnum():
                at += 1
            ident = bytes(letter for letter in game[start:at] if not 97 <= letter <= 122).decode()
            values = []
            while True:
                while game[at : at + 1].isspace():
                    at += 1
                if game[at : at + 1] != b"[":
                    break
                at += 1
                start = at
                while game[at : at + 1] != b"]":
                    if at >= len(game):
                        return None
                    at = at + 2 if game[at : at + 1] == b"\\" else skip(game, at, double)
                values.append(game[start:at])
                at += 1
            if not values:
                return None
            found[ident] = found.get(ident, []) + values
        else:
            return found if byte in b";()" else None
    return None


def simple(text):
    """SimpleText: escapes removed, white space to blanks."""
    out, at = [], 0
    text = text.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    while at < len(text):
        letter = text[at]
        if letter == "\\" and at + 1 < len(text):
            at += 1
            letter = "" if text[at] == "\n" else text[at]
        out.append(" " if letter in "\n\t\v\f" else letter)
        at += 1
    return "".join(out)


def undeclared(raw):
    """Text in no declared charset: UTF-8, also with damage, or else windows-1252."""
    text = raw.decode("utf-8", errors="replace")
    faults = text.count("\ufffd")
    characters = sum(letter >= "\u0800" for letter in text) - faults
    if not faults or characters >= max(2, faults):
        return text
    # The Encoding Standard reads the five bytes without a character as controls.
    return "".join(bytes([byte]).decode("latin-1" if byte in b"\x81\x8d\x8f\x90\x9d" else "cp1252") for byte in raw)


def members(path, folder):
    if not path.endswith(".tar.zst"):
        yield None, open(path, "rb").read()
        return
    packed = os.path.join(folder, "x.tar")
    subprocess.run(["zstd", "-dfq", path, "-o", packed], check=True)
    with tarfile.open(packed) as archive:
        for member in archive:
            if member.isfile():
                yield member.name, archive.extractfile(member).read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sgfq")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    counts, differ, by_charset = collections.Counter(), 0, collections.Counter()
    columns = "member,byte_offset,length,charset,charset_source," + ",".join(IDENTS.values())
    for path in options.inputs:
        rows = subprocess.run([options.sgfq, "get", columns, "-f", "jsonl", path], capture_output=True).stdout
        games = collections.defaultdict(list)
        for line in rows.decode("utf-8").splitlines():
            row = json.loads(line)
            games[row.get("member")].append(row)
        with tempfile.TemporaryDirectory() as folder:
            for name, data in members(path, folder):
                if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                    continue
                for row in games.get(name, ()):
                    codec = CODECS.get(row["charset"], row["charset"])
                    start = row["byte_offset"]
                    found = root(data[start : start + row["length"]], codec)
                    if found is None:
                        counts["games whose roots are not plain"] += 1
                        continue
                    counts["games"] += 1
                    for ident, column in IDENTS.items():
                        if ident not in found or len(found[ident]) != 1:
                            continue
                        raw = found[ident][0]
                        if raw.isascii() and codec != "utf-7":
                            counts["values in ASCII"] += 1
                        if codec == "auto":
                            text = undeclared(raw)
                        else:
                            text = raw.decode(codecs.lookup(codec).name, errors="replace")
                        expected, value = simple(text), row[column] or ""
                        by_charset[row["charset"], row["charset_source"]] += not raw.isascii()
                        if expected != value and "\ufffd" not in expected + value:
                            differ += 1
                            if differ <= options.show:
                                print(f"{path} {name} byte {start} {ident} {codec}: {value!r}, by Python {expected!r}")
                        elif expected != value:
                            counts["values with bytes of no character, which differ"] += 1
    for (charset, source), count in by_charset.most_common():
        if count:
            print(f"{count} values that are not ASCII in {charset} ({source})")
    for what, count in counts.items():
        print(f"{count} {what}")
    print(f"{differ} values differ")
    raise SystemExit(differ > 0)


main()
