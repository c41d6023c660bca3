#!/usr/bin/env bash
# Whole processes over the same games: `sgfq`, sgfmill (Python, from PyPI),
# @sabaki/sgf (JavaScript, from npm), SGFC (C), and DuckDB and Polars over the
# same games as rows of CSV, each from its start to its answer, which must be the
# same. Six questions: how many games, who played most, which eight moves most
# games begin with, how many games reach a position, how many repeat the moves of
# another, and how many warnings a checker has. Missing tools are skipped
# with a message. So is pgn-extract, because it plays each move as a chess move.
#
#   SGF_CORPUS=../shared/corpus benches/compare_processes.sh [--json FILE] [BYTES]    # default: 5M
#
# FILE gets the figures, from which benches/draw.py draws a picture.
#
# Needs cargo. Prints the best of three runs. The script installs the peers in
# $SGF_PEERS, or below the directory for temporary files, and keeps them. It uses
# the SGFC at $SGFC or on the path.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

json=
if [ "${1:-}" = --json ]; then
    json=${2:?expected a file after --json}
    shift 2
fi
bytes=$(numfmt --from=si "${1:-5M}")
peers=${SGF_PEERS:-${TMPDIR:-/tmp}/sgfstream-peers}
mkdir -p "$peers"
directory=$(mktemp -d "${TMPDIR:-/tmp}/sgfstream-peers-XXXXXX")
trap 'rm -rf "$directory"' EXIT

skip() {
    echo "skipped: $1, because $2" >&2
}

target=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release -p sgfq
sgfq=$target/release/sgfq
# shellcheck source=benches/support/games.sh
. benches/support/games.sh
games_with_moves "$sgfq" "$bytes" "$directory/games.sgf"
# Games without problems, because the peers stop at a problem.
head -c "$bytes" "$directory/games.sgf" | "$sgfq" filter --where 'errors = 0' - -o "$directory/data.sgf" 2>/dev/null
data=$directory/data.sgf

names=() questions=() commands=()
# Question, program and command.
add() {
    questions+=("$1")
    names+=("$2")
    commands+=("$3")
}

add games "sgfq count" "'$sgfq' count '$data' 2>/dev/null | sed -n 's/^games[^0-9]*//p'"
add player "sgfq freq" "'$sgfq' freq pb -n 1 -f csv '$data' 2>/dev/null | sed 1d"
add opening "sgfq freq" "'$sgfq' freq first_moves -n 1 -f csv '$data' 2>/dev/null | sed 1d"
add position "sgfq find" "'$sgfq' find --exact --position 'pd dp pp dd' --columns game '$data' 2>/dev/null | sed 1d | wc -l"
add repeated "sgfq dedup" "'$sgfq' dedup -o /dev/null --report '$directory/dropped.csv' '$data' 2>/dev/null; sed 1d '$directory/dropped.csv' | wc -l"
add warnings "sgfq check" "'$sgfq' check --summary '$data' 2>/dev/null | sed -n 's/.* \([0-9]*\) warnings.*/\1/p'"

if ! command -v python3 >/dev/null; then
    skip "sgfmill, DuckDB and Polars" "python3 is not installed"
elif ! { [ -x "$peers/venv/bin/python" ] || python3 -m venv "$peers/venv"; } >/dev/null 2>&1; then
    skip "sgfmill, DuckDB and Polars" "python3 -m venv failed"
else
    python=$peers/venv/bin/python
    version() {
        "$python" -c "import importlib.metadata; print(importlib.metadata.version('$1'))"
    }
    if ! "$python" -c 'import sgfmill' 2>/dev/null && ! "$python" -m pip install --quiet sgfmill >/dev/null 2>&1; then
        skip sgfmill "pip could not install it"
    else
        for question in games player opening position repeated; do
            add $question "sgfmill $(version sgfmill)" "'$python' benches/peers/sgfmill_answers.py $question '$data'"
        done
    fi
    # The file has a row for each game and a row for each move.
    "$sgfq" index --moves "$directory/moves.csv" -o "$directory/games.csv" "$data" 2>/dev/null
    for package in duckdb polars; do
        if ! "$python" -c "import $package" 2>/dev/null && ! "$python" -m pip install --quiet $package >/dev/null 2>&1; then
            skip $package "pip could not install it"
            continue
        fi
        for question in games player opening repeated; do
            add $question "$package $(version $package), CSV" "'$python' benches/peers/${package}_answers.py $question '$directory'"
        done
    done
fi

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    skip @sabaki/sgf "node or npm is not installed"
elif ! [ -d "$peers/node_modules/@sabaki/go-board" ] &&
    ! npm install --silent --no-audit --no-fund --prefix "$peers" @sabaki/sgf @sabaki/go-board >/dev/null 2>&1; then
    skip @sabaki/sgf "npm could not install it"
else
    version=$(node -p "require('$peers/node_modules/@sabaki/sgf/package.json').version")
    for question in games player opening position repeated; do
        add $question "@sabaki/sgf $version" "NODE_PATH='$peers/node_modules' node benches/peers/sabaki_answers.js $question '$data'"
    done
fi

if sgfc=$(command -v "${SGFC:-sgfc}"); then
    add warnings "SGFC $("$sgfc" | sed -n 's/.*SGFC V\([0-9.]*\).*/\1/p')" "'$sgfc' '$data' | sed -n '\$s/.*: OK.*/0/p; \$s/.*: \([0-9]*\) warning(s).*/\1/p'"
else
    skip SGFC "it is neither on the path nor at \$SGFC"
fi

games="$moves_name, $(stat -c %s "$data") bytes"
machine=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
echo "$games, $(date -I), ${machine:-$(uname -sm)}"
echo
echo "| question | process | CPU s | times sgfq | answer |"
echo "|---|---|--:|--:|---|"
python3 - "$json" "$games" "${machine:-$(uname -sm)}" "${#names[@]}" "${questions[@]}" "${names[@]}" "${commands[@]}" <<'PYTHON'
import datetime, json, resource, subprocess, sys

target, games, machine, count, *words = sys.argv[1:]
ASKED = {
    "games": "How many games",
    "player": "Who played most",
    "opening": "Which eight moves most games begin with",
    "position": "How many games reach a position after four moves",
    "repeated": "How many repeat the moves of another",
    "warnings": "How many warnings a checker has",
}
figures = {question: [] for question in ASKED}
count = int(count)
first, answers = {}, {}
for question, name, command in zip(words[:count], words[count : 2 * count], words[2 * count :]):
    best = None
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best or seconds, seconds)
    answer = run.stdout.strip()
    if run.returncode != 0:
        why = (run.stderr.strip().splitlines() or ["no word"])[-1]
        print(f"| {question} | {name} | {best:.2f} | | failed: {why} |", flush=True)
        continue
    if answers.setdefault(question, answer) != answer:
        sys.exit(f"{question}, {name}: expected `{answers[question]}`, found `{answer}`")
    first.setdefault(question, best)
    figures[question].append({"name": name, "seconds": round(best, 3)})
    print(f"| {question} | {name} | {best:.2f} | {best / max(first[question], 0.001):.1f} | {answer} |", flush=True)
if target:
    with open(target, "w", encoding="utf-8") as file:
        command = f"SGF_CORPUS=../shared/corpus benches/compare_processes.sh --json {target}"
        asked = [{"text": ASKED[question], "rows": rows} for question, rows in figures.items()]
        about = {"games": games, "machine": machine, "date": datetime.date.today().isoformat(), "command": command}
        json.dump({**about, "questions": asked}, file, ensure_ascii=False, indent=1)
        file.write("\n")
PYTHON
