#!/usr/bin/env bash
# CPU seconds and peak memory of the commands over a file of games with many
# moves, on one thread, as a table. A unit is the time that `memchr2_iter` takes
# to find each `]` and `\` of the same bytes, so the figures of two machines can
# be compared. With another binary, the two take turns. Needs cargo and python3.
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
cargo build --quiet --profile "$profile" --example generate
directory=$(mktemp -d "${TMPDIR:-/tmp}/sgfstream-commands-XXXXXX")
trap 'rm -rf "$directory"' EXIT
"$target/${profile/dev/debug}/examples/generate" --shape moves --bytes "$(numfmt --from=si "$size")" >"$directory/games.sgf" 2>/dev/null

python3 - "$directory" "$rounds" "$binary" ${baseline:+"$baseline"} <<'PYTHON'
import datetime, json, os, platform, shutil, statistics, subprocess, sys

directory, rounds, *binaries = sys.argv[1:]
games, out = f"{directory}/games.sgf", f"{directory}/out"
size = os.path.getsize(games)
# A command, and the units that it may take.
COMMANDS = {
    "count": 1.5,
    "stats": 3.75,
    f"index -o {out}/games.parquet": 5,
    f"index --moves {out}/moves.parquet -o {out}/games.parquet": 20,
    "filter --where pb='x'": 1.0,
    "get pb,pw,re": 1.5,
    "check": 7.5,
    "check --diag json": 7.5,
    "check --diag json --legality": 12.5,
    "moves": 3.75,
    "rewrite --strip comments": 5,
    "dedup": 5,
    "charset": 3.75,
    "fix": 12.5,
    # 3 million moves a second, and 1 million.
    f"find --summary --position {games}#3@40": 66,
    "find --summary --pattern -----/.....|/..X..|/.O...|/.....|/....X|": 200,
}


def run(arguments):
    """CPU seconds, peak MiB and status of one run."""
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    null = subprocess.DEVNULL
    process = subprocess.Popen(arguments, stdin=null, stdout=null, stderr=null)
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def unit():
    """Seconds of a search over as many bytes: the best of many rounds over a few, which others seldom disturb."""
    sample = f"{directory}/sample.sgf"
    with open(games, "rb") as whole, open(sample, "wb") as part:
        part.write(whole.read(2_000_000))
    rows = subprocess.run([binaries[0], "bench", "-f", "json", "--rounds", "100", sample], capture_output=True, check=True)
    stages = json.loads(rows.stdout)
    search = next(row for row in stages["stages"] if row["stage"] == "search")
    return search["seconds"] / os.path.getsize(sample) * size


def with_thread(binary, words):
    """The arguments with one thread, if the command has that option; none for a command that the binary has not."""
    empty = f"{directory}/empty.sgf"
    with open(empty, "w") as file:
        file.write("(;GM[1])\n")
    for arguments in [[binary, *words, "-j", "1"], [binary, *words]]:
        if run([*arguments, empty])[2] < 2:
            return arguments
    return None


def median(results, of):
    return statistics.median(result[of] for result in results)


seconds = unit()
today = datetime.date.today()
print(f"{size} bytes, median of {rounds}, {platform.machine()}, {today}; a unit is {seconds:.3f} s")
print()
if len(binaries) == 1:
    print("| command | CPU s | units | target | MiB |\n|---|--:|--:|--:|--:|")
else:
    print("| command | CPU s before | CPU s | ratio | units before | units | target | MiB before | MiB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
for command, target in COMMANDS.items():
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
        print(f"| `{shown}` | {cpu:.2f} | {cpu / seconds:.1f} | {target} | {memory:.0f} |", flush=True)
    else:
        before, memory_before = median(results[1], 0), median(results[1], 1)
        print(
            f"| `{shown}` | {before:.2f} | {cpu:.2f} | {cpu / max(before, 0.001):.2f} | {before / seconds:.1f} | "
            f"{cpu / seconds:.1f} | {target} | {memory_before:.0f} | {memory:.0f} |",
            flush=True,
        )
PYTHON
