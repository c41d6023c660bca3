#!/usr/bin/env bash
# What a second core buys: seconds of the commands that read on all cores with
# one worker and with two, on a plain collection and on many small members; and
# how `index` keeps up with the decoder before it. Needs cargo, python3, gzip
# and zstd, and an idle machine.
#
#   benches/scaling.sh           # 1 GB
#   benches/scaling.sh 100M      # less, for a look
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ $# -gt 1 ]; then
    echo "usage: benches/scaling.sh [SIZE[K|M|G]]" >&2
    exit 2
fi
bytes=$(numfmt --from=si "${1:-1G}")

target=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release --example generate --bin sgfq
sgfq=$(realpath "$target/release/sgfq")
directory=$(mktemp -d "${TMPDIR:-/tmp}/sgfstream-scaling-XXXXXX")
trap 'rm -rf "$directory"' EXIT

# The best of three runs: seconds, and seconds of all cores.
measure() {
    python3 - "$@" <<'PYTHON'
import os, subprocess, sys, time

best = None
for _ in range(3):
    start = time.monotonic()
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) > 1:
        sys.exit(f"{sys.argv[1:]}: exit status {os.waitstatus_to_exitcode(status)}")
    if best is None or seconds < best[0]:
        best = seconds, usage.ru_utime + usage.ru_stime
print(f"{best[0]:.3f} {best[1]:.3f}")
PYTHON
}

"$target/release/examples/generate" --shape moves --bytes "$bytes" >"$directory/plain.sgf" 2>/dev/null
# The same games, a member each, some 20 000 in an archive.
python3 - "$directory" <<'PYTHON'
import io, sys, tarfile

directory = sys.argv[1]
with open(f"{directory}/plain.sgf", "rb") as plain, tarfile.open(f"{directory}/members.tar", "w") as out:
    game = b""
    number = 0
    for line in plain:
        if line.startswith(b"(;") and game:
            info = tarfile.TarInfo(f"games/{number // 1000}/{number}.sgf")
            info.size = len(game)
            out.addfile(info, io.BytesIO(game))
            number += 1
            game = b""
        game += line
PYTHON
zstd --quiet -3 "$directory/members.tar" -o "$directory/members.tar.zst"
mkdir "$directory/files"
tar -xf "$directory/members.tar" -C "$directory/files"
rm "$directory/members.tar"

echo "$bytes bytes, $(nproc) cores, $(date -I), $(uname -sm)"
echo
echo "| input | command | -j 1, s | -j 2, s | times | CPU s, -j 1 | CPU s, -j 2 |"
echo "|---|---|--:|--:|--:|--:|--:|"
for input in plain.sgf files members.tar.zst; do
    for command in count stats index filter get check moves rewrite charset dedup; do
        arguments=("$command")
        case $command in
        index) arguments+=(-o "$directory/games.parquet") ;;
        filter) arguments+=(--where "moves > 250" -o "$directory/kept.sgf") ;;
        get) arguments+=(pb,pw,re,moves -f csv) ;;
        check) arguments+=(--quiet --diag json) ;;
        rewrite) arguments+=(--strip comments) ;;
        esac
        arguments+=("$directory/$input")
        one=$(measure "$sgfq" "${arguments[@]}" -j 1)
        two=$(measure "$sgfq" "${arguments[@]}" -j 2)
        python3 - "$input" "$command" $one $two <<'PYTHON'
import sys

name, command, one, one_cpu, two, two_cpu = sys.argv[1:]
print(f"| {name} | {command} | {one} | {two} | {float(one) / float(two):.2f} | {one_cpu} | {two_cpu} |")
PYTHON
    done
done

echo
echo "| input | decoder alone, s | count, s | index, s | index, columns of the root, s | games/s and core |"
echo "|---|--:|--:|--:|--:|--:|"
games=$("$sgfq" count "$directory/plain.sgf" | awk '$1 == "games" { print $2 }')
gzip --keep "$directory/plain.sgf"
zstd --quiet "$directory/plain.sgf" -o "$directory/plain.sgf.zst"
for input in plain.sgf plain.sgf.gz plain.sgf.zst; do
    case $input in
    *.gz) alone=$(measure gzip -dc "$directory/$input") ;;
    *.zst) alone=$(measure zstd -dcq "$directory/$input") ;;
    *) alone=$(measure cat "$directory/$input") ;;
    esac
    count=$(measure "$sgfq" count "$directory/$input")
    index=$(measure "$sgfq" index "$directory/$input" -o "$directory/games.parquet")
    root=$(measure "$sgfq" index "$directory/$input" -o "$directory/games.parquet" \
        --columns source,game,offset,pb,pw,br,wr,dt,re,winner,km,ha)
    rate=$(echo "$games $root" | awk '{ printf "%.0f", $1 / $3 }')
    echo "| $input | ${alone% *} | ${count% *} | ${index% *} | ${root% *} | $rate |"
done
