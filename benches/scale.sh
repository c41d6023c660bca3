#!/usr/bin/env bash
# Time and peak memory against the size of the input, as a table. No column
# may grow faster than its input; memory may not grow at all.
#
#   benches/scale.sh                            # 10M 100M 1G, and 10G by pipe
#   benches/scale.sh --shape comments 10M 100M
#
# Up to 1 GB the input is a file in the directory for temporary files, removed
# at the end; what is larger is that of 1 GB through a pipe as often as it
# takes. Needs cargo and python3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

shape=moves
sizes=()
while [ $# -gt 0 ]; do
    case "$1" in
    --shape)
        shape=$2
        shift
        ;;
    [0-9]*) sizes+=("$1") ;;
    *)
        echo "usage: benches/scale.sh [--shape SHAPE] [SIZE[K|M|G]…]" >&2
        exit 2
        ;;
    esac
    shift
done
[ ${#sizes[@]} -gt 0 ] || sizes=(10M 100M 1G 10G)

target=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release --example generate --bin sgfq
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
    process = subprocess.Popen(command + [path], stdout=subprocess.DEVNULL)
else:
    process = subprocess.Popen(command + ["-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
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

echo "shape \`$shape\`, $(date -I), $(uname -sm)"
echo
echo "| size | command | s | CPU s | GB/s | peak MiB |"
echo "|--:|---|--:|--:|--:|--:|"
for size in "${sizes[@]}"; do
    bytes=$(numfmt --from=si "$size")
    times=1 file_size=$bytes
    if [ "$bytes" -gt 1000000000 ]; then
        times=$(((bytes + 999999999) / 1000000000)) file_size=1000000000
    fi
    file="$directory/$file_size.sgf"
    [ -f "$file" ] || "$target/release/examples/generate" --shape "$shape" --bytes "$file_size" >"$file" 2>/dev/null
    for command in count stats; do
        echo "| $size | \`sgfq $command\` | $(measure "$times" "$file" "$target/release/sgfq" "$command") |"
    done
done
