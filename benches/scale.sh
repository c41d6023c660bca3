#!/usr/bin/env bash
# Time and peak memory against the size of the input, as a table. No column
# may grow faster than its input; memory may not grow at all.
#
#   SGF_CORPUS=../shared/corpus benches/scale.sh     # 40M 400M, and 4G by pipe
#   benches/scale.sh 10M 100M
#
# Up to 400 MB the input is a file in the directory for temporary files, removed
# at the end. For larger sizes, the script repeats the file of 400 MB through a
# pipe. Needs cargo and python3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sizes=()
for size in "$@"; do
    case "$size" in
    [0-9]*) sizes+=("$size") ;;
    *)
        echo "usage: benches/scale.sh [SIZE[K|M|G]…]" >&2
        exit 2
        ;;
    esac
done
[ ${#sizes[@]} -gt 0 ] || sizes=(40M 400M 4G)

target=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release -p sgfq
directory=$(mktemp -d "${TMPDIR:-/tmp}/sgfstream-scale-XXXXXX")
trap 'rm -rf "$directory"' EXIT

# Runs a command with a file, or one file many times, as its input; prints
# seconds, GB/s and the peak of its memory.
measure() {
    python3 - "$@" <<'PYTHON'
import os, resource, shutil, subprocess, sys, time

times, path, *command = sys.argv[1:]
start = time.monotonic()
if times == "1":
    process = subprocess.Popen(command + [path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
else:
    process = subprocess.Popen(command + ["-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(int(times)):
        with open(path, "rb") as file:
            shutil.copyfileobj(file, process.stdin, 1 << 20)
    process.stdin.close()
_, status, usage = os.wait4(process.pid, 0)
seconds = time.monotonic() - start
if os.waitstatus_to_exitcode(status) > 1:
    sys.exit(f"{command}: exit status {os.waitstatus_to_exitcode(status)}")
size = os.path.getsize(path) * int(times)
print(f"{seconds:.3f} | {usage.ru_utime + usage.ru_stime:.3f} | {size / seconds / 1e9:.2f} | {usage.ru_maxrss / 1024:.1f}")
PYTHON
}

# shellcheck source=benches/support/games.sh
. benches/support/games.sh
largest=400000000
for size in "${sizes[@]}"; do
    bytes=$(numfmt --from=si "$size")
    times=1 file_size=$bytes
    if [ "$bytes" -gt $largest ]; then
        times=$(((bytes + largest - 1) / largest)) file_size=$largest
    fi
    file="$directory/$file_size.sgf"
    [ -f "$file" ] || games_with_moves "$target/release/sgfq" "$file_size" "$file"
    if [ "$size" = "${sizes[0]}" ]; then
        echo "$moves_name, $(date -I), $(uname -sm)"
        echo
        echo "| size | command, one thread | s | CPU s | GB/s | peak MiB |"
        echo "|--:|---|--:|--:|--:|--:|"
    fi
    shown=$(numfmt --to=si --format=%.1f $(($(stat -c %s "$file") * times)))
    for command in count stats "check --quiet" "index -o $directory/games.parquet" "rewrite --strip comments" dedup; do
        # shellcheck disable=SC2086 # the words of a command
        echo "| $shown | \`${command/$directory\//}\` | $(measure "$times" "$file" "$target/release/sgfq" $command -j 1) |"
    done
done
