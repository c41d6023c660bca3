"""Writes a zip file of a folder: the same bytes for the same files. Usage: pack.py FOLDER OUT.zip"""

import os
import pathlib
import sys
import time
import zipfile

folder, out = sys.argv[1:]
when = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            info = zipfile.ZipInfo(path.as_posix(), when)
            info.external_attr = (0o755 if path.suffix == ".exe" else 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, path.read_bytes())
