#!/usr/bin/env bash
# CPU seconds and peak memory of the commands on one thread, as tables. With
# another binary, the two take turns, and the table has their ratio. Needs cargo
# and python3.
#
# With SGF_CORPUS, the games come from its archives, repeated to SIZE: one
# table of go-pro and go-server, and one of go-commented, joseki, tsumego and
# cjk. Without it, the generator makes games with the mix of the first table.
#
#   benches/commands.sh                               # 100 MB, median of 5
#   benches/commands.sh --baseline old/sgfq 400M
#   benches/commands.sh --binary target/dist/sgfq --rounds 9
#   benches/commands.sh --smoke                       # do all commands run?
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

baseline='' binary='' rounds=5 size=100M profile=release
usage() {
    echo "usage: benches/commands.sh [--baseline PATH] [--binary PATH] [--rounds N] [--smoke] [SIZE[K|M|G]]" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case "$1" in
    --baseline | --binary | --rounds)
        [ $# -gt 1 ] || usage
        declare "${1#--}=$2"
        shift
        ;;
    --smoke) rounds=1 size=200K profile=dev ;;
    [0-9]*) size=$1 ;;
    *) usage ;;
    esac
    shift
done

target=${CARGO_TARGET_DIR:-target}
if [ -z "$binary" ]; then
    cargo build --quiet --release -p sgfq
    binary=$target/release/sgfq
fi
directory=$(mktemp -d "${TMPDIR:-/tmp}/sgfstream-commands-XXXXXX")
trap 'rm -rf "$directory"' EXIT
bytes=$(numfmt --from=si "$size")

# shellcheck source=benches/support/games.sh
. benches/support/games.sh
if [ -n "${SGF_CORPUS:-}" ]; then
    games_of "$binary" "$bytes" "$directory/go-pro+go-server.sgf" go-pro go-server
    games_of "$binary" "$bytes" "$directory/go-commented+joseki+tsumego+cjk.sgf" go-commented joseki tsumego cjk
else
    cargo build --quiet --profile "$profile" --example generate
    "$target/${profile/dev/debug}/examples/generate" --shape real --bytes "$bytes" >"$directory/generated.sgf" 2>/dev/null
fi

cat >"$directory/table.py" <<'PYTHON'
import datetime, os, platform, shutil, statistics, subprocess, sys

directory, games, rounds, *binaries = sys.argv[1:]
out = f"{directory}/out"
size = os.path.getsize(games)
COMMANDS = [
    "count",
    "stats",
    f"index -o {out}/games.parquet",
    f"index --moves {out}/moves.parquet -o {out}/games.parquet",
    "filter --where pb='x'",
    "get pb,pw,re",
    "check",
    "check -f jsonl",
    "check --legality -q",
    "moves",
    "rewrite --strip comments",
    "dedup",
    "charset",
    "fix",
    f"find --summary --position {games}#3@40",
    "find --summary --pattern -----/.....|/..X..|/.O...|/.....|/....X|",
]


def run(arguments):
    """CPU seconds, peak MiB and status of one run."""
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    null = subprocess.DEVNULL
    process = subprocess.Popen(arguments, stdin=null, stdout=null, stderr=null)
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def with_thread(binary, words):
    """Returns the arguments with `-j 1` if the command has that option, or `None` if the binary lacks the command."""
    empty = f"{directory}/empty"
    with open(empty, "w") as file:
        file.write("(;GM[1])\n")
    for arguments in [[binary, *words, "-j", "1"], [binary, *words]]:
        if run([*arguments, empty])[2] < 2:
            return arguments
    return None


def median(results, of):
    return statistics.median(result[of] for result in results)


today = datetime.date.today()
name = os.path.basename(games).removesuffix(".sgf")
print(f"{name}: {size} bytes, median of {rounds}, {platform.machine()}, {today}")
print()
if len(binaries) == 1:
    print("| command | CPU s | MiB |\n|---|--:|--:|")
else:
    print("| command | CPU s before | CPU s | ratio | MiB before | MiB |")
    print("|---|--:|--:|--:|--:|--:|")
for command in COMMANDS:
    arguments = [with_thread(binary, command.split(" ")) for binary in binaries]
    if None in arguments:
        if arguments[0] is None:
            sys.exit(f"{command}: expected a command that runs")
        print(f"left out, because the baseline has it not: {command}", file=sys.stderr)
        continue
    results = [[] for _ in binaries]
    for _ in range(int(rounds)):
        for found, words in zip(results, arguments):
            found.append(run([*words, games]))
    for found, words in zip(results, arguments):
        status = max(result[2] for result in found)
        if status > 1 or min(result[2] for result in found) < 0:
            sys.exit(f"{' '.join(words)}: exit status {status}")
    shown = command.replace(f"{out}/", "").replace(f"{directory}/", "").replace("|", "\\|")
    cpu, memory = median(results[0], 0), median(results[0], 1)
    if len(binaries) == 1:
        print(f"| `{shown}` | {cpu:.2f} | {memory:.0f} |", flush=True)
    else:
        before, memory_before = median(results[1], 0), median(results[1], 1)
        print(
            f"| `{shown}` | {before:.2f} | {cpu:.2f} | {cpu / max(before, 0.001):.2f} | {memory_before:.0f} | {memory:.0f} |",
            flush=True,
        )
PYTHON

for games in "$directory"/*.sgf; do
    python3 "$directory/table.py" "$directory" "$games" "$rounds" "$binary" ${baseline:+"$baseline"}
    echo
done
