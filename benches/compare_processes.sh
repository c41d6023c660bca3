#!/usr/bin/env bash
# Whole processes over the same games: `sgfq`, sgfmill (Python, from PyPI),
# @sabaki/sgf (JavaScript, from npm), and DuckDB over the same rows as CSV, each
# from its start to its answer, which must be the same. Three questions: how many
# games, who played most, and how many games have the same moves. What a machine
# lacks is skipped, and said.
#
#   SGF_CORPUS=../shared/corpus benches/compare_processes.sh [BYTES]        # 5M where nothing is said
#
# Needs cargo. The best of three runs. The peers are put into $SGF_PEERS, or
# below the directory for temporary files, and stay there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

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
# Games without a fault: the peers end at one.
head -c "$bytes" "$directory/games.sgf" | "$sgfq" filter --where 'errors = 0' - -o "$directory/data.sgf" 2>/dev/null
data=$directory/data.sgf

names=() questions=() commands=()
# A question, who answers, and the command.
add() {
    questions+=("$1")
    names+=("$2")
    commands+=("$3")
}

add games "sgfq count" "'$sgfq' count '$data' 2>/dev/null | sed -n 's/^games[^0-9]*//p'"
add player "sgfq freq" "'$sgfq' freq pb -n 1 -f csv '$data' 2>/dev/null | sed 1d"
add repeated "sgfq dedup" "'$sgfq' dedup -o '$directory/once.sgf' '$data' 2>/dev/null; echo \$(('$sgfq' count '$data'; '$sgfq' count '$directory/once.sgf') 2>/dev/null | sed -n 's/^games[^0-9]*//p')"

if ! command -v python3 >/dev/null; then
    skip "sgfmill and DuckDB" "python3 is not installed"
elif ! { [ -x "$peers/venv/bin/python" ] || python3 -m venv "$peers/venv"; } >/dev/null 2>&1; then
    skip "sgfmill and DuckDB" "python3 -m venv failed"
else
    python=$peers/venv/bin/python
    version() {
        "$python" -c "import importlib.metadata; print(importlib.metadata.version('$1'))"
    }
    if ! "$python" -c 'import sgfmill' 2>/dev/null && ! "$python" -m pip install --quiet sgfmill >/dev/null 2>&1; then
        skip sgfmill "pip could not install it"
    else
        cat >"$peers/sgfmill_answers.py" <<'PYTHON'
import collections, sys
from sgfmill import sgf, sgf_grammar

question, path = sys.argv[1:]
with open(path, "rb") as file:
    games = sgf_grammar.parse_sgf_collection(file.read())
if question == "games":
    print(len(games))
else:
    names = collections.Counter()
    for game in games:
        names[game.sequence[0].get("PB", [b""])[0].decode("utf-8", "replace")] += 1
    print(",".join(map(str, min(names.items(), key=lambda row: (-row[1], row[0])))))
PYTHON
        for question in games player; do
            add $question "sgfmill $(version sgfmill)" "'$python' '$peers/sgfmill_answers.py' $question '$data'"
        done
    fi
    if ! "$python" -c 'import duckdb' 2>/dev/null && ! "$python" -m pip install --quiet duckdb >/dev/null 2>&1; then
        skip DuckDB "pip could not install it"
    else
        # The rows of the games, and one for each of their moves, which is what the file holds.
        "$sgfq" index --moves "$directory/moves.csv" -o "$directory/games.csv" "$data" 2>/dev/null
        cat >"$peers/duckdb_answers.py" <<'PYTHON'
import sys
import duckdb

question, directory = sys.argv[1:]
duckdb.execute("SET threads = 1")
rows = f"read_csv('{directory}/games.csv', all_varchar = true)"
if question == "games":
    moves = f"read_csv('{directory}/moves.csv', all_varchar = true)"
    # A reader of SGF has seen each move when it knows the number of games.
    print(duckdb.sql(f"SELECT count(*) FROM {rows}, (SELECT max(x) FROM {moves})").fetchall()[0][0])
else:
    sql = f"SELECT pb, count(*) AS games FROM {rows} GROUP BY pb ORDER BY games DESC, pb LIMIT 1"
    print(*duckdb.sql(sql).fetchall()[0], sep=",")
PYTHON
        for question in games player; do
            add $question "DuckDB $(version duckdb), CSV" "'$python' '$peers/duckdb_answers.py' $question '$directory'"
        done
    fi
fi

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    skip @sabaki/sgf "node or npm is not installed"
elif ! [ -d "$peers/node_modules/@sabaki/sgf" ] && ! npm install --silent --no-audit --no-fund --prefix "$peers" @sabaki/sgf >/dev/null 2>&1; then
    skip @sabaki/sgf "npm could not install it"
else
    cat >"$peers/sabaki_answers.js" <<'JAVASCRIPT'
const sgf = require('@sabaki/sgf')
const [question, path] = process.argv.slice(2)
const games = sgf.parseFile(path)
if (question === 'games') {
  console.log(games.length)
} else {
  const names = new Map()
  for (const game of games) {
    const name = (game.data.PB || [''])[0]
    names.set(name, (names.get(name) || 0) + 1)
  }
  const [first] = [...names].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  console.log(first.join(','))
}
JAVASCRIPT
    version=$(node -p "require('$peers/node_modules/@sabaki/sgf/package.json').version")
    for question in games player; do
        add $question "@sabaki/sgf $version" "node '$peers/sabaki_answers.js' $question '$data'"
    done
fi

echo "$moves_name, $(stat -c %s "$data") bytes, $(date -I), $(uname -sm)"
echo
echo "| question | process | CPU s | times sgfq | answer |"
echo "|---|---|--:|--:|---|"
python3 - "${#names[@]}" "${questions[@]}" "${names[@]}" "${commands[@]}" <<'PYTHON'
import resource, subprocess, sys

count, *words = sys.argv[1:]
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
    print(f"| {question} | {name} | {best:.2f} | {best / max(first[question], 0.001):.1f} | {answer} |", flush=True)
PYTHON
