#!/usr/bin/env bash
# Builds the files for a package index: an sdist, and one wheel for every Python from 3.10 on. With ziglang installed
# (`pip install maturin ziglang`), the wheel runs on every Linux with glibc 2.28 or later; without it, on systems whose
# glibc is at least as new as this one's. Usage: wheels.sh [FOLDER]
set -euo pipefail
out=$(realpath -m "${1:-dist}")
cd "$(dirname "${BASH_SOURCE[0]}")"

maturin sdist --out "$out"
if python3 -c 'import ziglang' 2>/dev/null; then
    maturin build --release --locked --zig --compatibility manylinux_2_28 --out "$out"
else
    echo "without ziglang, the wheel needs a glibc as new as the one of this machine" >&2
    maturin build --release --locked --out "$out"
fi
ls -l "$out"
