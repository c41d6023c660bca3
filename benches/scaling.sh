#!/usr/bin/env bash
# Measures the gain of more cores: seconds of the commands that read on all cores with one
# worker and with two, on a plain collection and on many small members; the CPU
# time of the busiest thread whose work no other thread can share (the one that
# writes, the walker, or a decoder), and the number of cores that can work beside
# it; and whether `index` keeps up with the decoder before it. Needs Linux, cargo, python3, gzip and zstd. The
# seconds need an idle machine; CPU times and shares do not.
#
#   SGF_CORPUS=../shared/corpus benches/scaling.sh   # 400 MB, best of 3 rounds
#   benches/scaling.sh 100M 9            # less data, more rounds
#   SGFQ=target/dist/sgfq benches/scaling.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ $# -gt 2 ]; then
    echo "usage: benches/scaling.sh [SIZE[K|M|G] [ROUNDS]]" >&2
    exit 2
fi
bytes=$(numfmt --from=si "${1:-400M}")
rounds=${2:-3}

target=${CARGO_TARGET_DIR:-target}
if [ -z "${SGFQ:-}" ]; then
    cargo build --quiet --release -p sgfq
fi
sgfq=$(realpath "${SGFQ:-$target/release/sgfq}")
directory=$(mktemp -d "${TMPDIR:-/tmp}/sgfstream-scaling-XXXXXX")
trap 'rm -rf "$directory"' EXIT

# Prints the best of some runs: seconds, seconds of all cores, and seconds of the
# busiest thread that is neither a worker nor an encoder of columns, by their names.
measure() {
    python3 - "$rounds" "$@" <<'PYTHON'
import os, subprocess, sys, time

rounds, *arguments = sys.argv[1:]
SHARED = ("worker", "encoder", "signals", "progress", "sizes")


def look(pid, threads):
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            task = f"/proc/{pid}/task/{thread}"
            with open(f"{task}/comm") as name, open(f"{task}/schedstat") as ran:
                threads[thread] = name.read().strip(), int(ran.read().split()[0]) / 1e9
    except (OSError, IndexError):
        pass


best = None
for _ in range(int(rounds)):
    start = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    threads = {}
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        look(process.pid, threads)
        time.sleep(0.001)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) > 1:
        sys.exit(f"{arguments}: exit status {os.waitstatus_to_exitcode(status)}")
    alone = max((ran for name, ran in threads.values() if name not in SHARED), default=0)
    found = seconds, usage.ru_utime + usage.ru_stime, alone
    best = [min(pair) for pair in zip(best or found, found)]
print(" ".join(f"{value:.3f}" for value in best))
PYTHON
}

# shellcheck source=benches/support/games.sh
. benches/support/games.sh
games_with_moves "$sgfq" "$bytes" "$directory/plain.sgf"
# The same games, one per member.
python3 - "$directory" <<'PYTHON'
import io, sys, tarfile, zipfile

directory = sys.argv[1]
with (
    open(f"{directory}/plain.sgf", "rb") as plain,
    tarfile.open(f"{directory}/members.tar", "w") as out,
    zipfile.ZipFile(f"{directory}/members.zip", "w", zipfile.ZIP_DEFLATED) as packed,
):
    game = b""
    number = 0
    for line in plain:
        if line.startswith(b"(;") and game:
            info = tarfile.TarInfo(f"games/{number // 1000}/{number}.sgf")
            info.size = len(game)
            out.addfile(info, io.BytesIO(game))
            packed.writestr(info.name, game)
            number += 1
            game = b""
        game += line
PYTHON
zstd --quiet -3 "$directory/members.tar" -o "$directory/members.tar.zst"
mkdir "$directory/files"
tar -xf "$directory/members.tar" -C "$directory/files"
rm "$directory/members.tar"

echo "$moves_name, $bytes bytes, $(nproc) cores, $(date -I), $(uname -sm)"
echo
echo "| input | command | -j 1, s | -j 2, s | times | CPU s, -j 1 | CPU s, -j 2 | of it one thread alone | cores of use |"
echo "|---|---|--:|--:|--:|--:|--:|--:|--:|"
for input in plain.sgf files members.zip members.tar.zst; do
    for command in count stats index filter get check moves rewrite fix charset dedup find openings players freq; do
        arguments=("$command")
        case $command in
        index) arguments+=(-o "$directory/games.parquet") ;;
        filter) arguments+=(--where "moves > 250" -o "$directory/kept.sgf") ;;
        get) arguments+=(pb,pw,re,moves -f csv) ;;
        check) arguments+=(--quiet -f jsonl) ;;
        rewrite) arguments+=(--strip comments) ;;
        find) arguments+=(--summary --position "pd dp pp") ;;
        freq) arguments+=(pb) ;;
        esac
        arguments+=("$directory/$input")
        one=$(measure "$sgfq" "${arguments[@]}" -j 1)
        two=$(measure "$sgfq" "${arguments[@]}" -j 2)
        python3 - "$input" "$command" $one $two <<'PYTHON'
import sys

name, command, *figures = sys.argv[1:]
one, one_cpu, _, two, two_cpu, alone = map(float, figures)
row = [one, two, f"{one / two:.2f}", one_cpu, two_cpu, f"{alone / two_cpu:.1%}", f"{two_cpu / max(alone, 1e-3):.0f}"]
print("|", " | ".join([name, command, *map(str, row)]), "|")
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
    echo "| $input | ${alone%% *} | ${count%% *} | ${index%% *} | ${root%% *} | $rate |"
done
