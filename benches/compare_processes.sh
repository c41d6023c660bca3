#!/usr/bin/env bash
# Whole processes over the same file: `sgfq`, sgfmill (Python, from PyPI) and
# @sabaki/sgf (JavaScript, from npm), each from its start to its answer, which
# must be the same. What a machine lacks is skipped, and said.
#
#   benches/compare_processes.sh [BYTES]        # 5M where nothing is said
#
# Needs cargo. Uses hyperfine where it is installed, else the best of five runs
# by the shell's clock. The peers are put into $SGF_PEERS, or below the
# directory for temporary files, and stay there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bytes=${1:-5M}
peers=${SGF_PEERS:-${TMPDIR:-/tmp}/sgfstream-peers}
mkdir -p "$peers"
data=$(mktemp "${TMPDIR:-/tmp}/sgfstream-games-XXXXXX")
trap 'rm -f "$data"' EXIT

skip() {
    echo "skipped: $1, because $2" >&2
}

target=${CARGO_TARGET_DIR:-target}
cargo build --quiet --release --example generate --bin sgfq
"$target/release/examples/generate" --shape moves --bytes "$bytes" >"$data"

names=() commands=()
add() {
    names+=("$1")
    commands+=("$2")
}

add "sgfq count" "'$target/release/sgfq' count '$data' | sed -n 's/^games[^0-9]*//p'"

if ! command -v python3 >/dev/null; then
    skip sgfmill "python3 is not installed"
elif ! { [ -x "$peers/venv/bin/python" ] || python3 -m venv "$peers/venv"; } >/dev/null 2>&1; then
    skip sgfmill "python3 -m venv failed"
elif ! "$peers/venv/bin/python" -c 'import sgfmill' 2>/dev/null && ! "$peers/venv/bin/pip" install --quiet sgfmill >/dev/null 2>&1; then
    skip sgfmill "pip could not install it"
else
    cat >"$peers/sgfmill_count.py" <<'PYTHON'
import sys
from sgfmill import sgf_grammar
with open(sys.argv[1], "rb") as file:
    print(len(sgf_grammar.parse_sgf_collection(file.read())))
PYTHON
    version=$("$peers/venv/bin/python" -c 'import importlib.metadata; print(importlib.metadata.version("sgfmill"))')
    add "sgfmill $version" "'$peers/venv/bin/python' '$peers/sgfmill_count.py' '$data'"
fi

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    skip @sabaki/sgf "node or npm is not installed"
elif ! [ -d "$peers/node_modules/@sabaki/sgf" ] && ! npm install --silent --no-audit --no-fund --prefix "$peers" @sabaki/sgf >/dev/null 2>&1; then
    skip @sabaki/sgf "npm could not install it"
else
    cat >"$peers/sabaki_count.js" <<'JAVASCRIPT'
const sgf = require('@sabaki/sgf')
console.log(sgf.parseFile(process.argv[2]).length)
JAVASCRIPT
    version=$(node -p "require('$peers/node_modules/@sabaki/sgf/package.json').version")
    add "@sabaki/sgf $version" "node '$peers/sabaki_count.js' '$data'"
fi

# The same answer from all.
games=""
for index in "${!names[@]}"; do
    found=$(bash -c "${commands[index]}")
    games=${games:-$found}
    if [ "$found" != "$games" ]; then
        echo "${names[index]}: expected $games games, found $found" >&2
        exit 1
    fi
done
size=$(wc -c <"$data")
echo "$games games, $size bytes"

if command -v hyperfine >/dev/null; then
    arguments=(--warmup 1 --style basic)
    for index in "${!names[@]}"; do
        arguments+=(--command-name "${names[index]}" "${commands[index]}")
    done
    hyperfine "${arguments[@]}"
else
    skip hyperfine "it is not installed: the best of five runs instead"
    echo
    echo "| process | seconds | MB/s |"
    echo "|---|--:|--:|"
    TIMEFORMAT=%R
    for index in "${!names[@]}"; do
        best=$(for _ in 1 2 3 4 5; do { time bash -c "${commands[index]}" >/dev/null; } 2>&1; done | sort -n | head -1)
        awk -v name="${names[index]}" -v best="$best" -v size="$size" \
            'BEGIN { printf "| %s | %.3f | %.1f |\n", name, best, size / 1e6 / (best > 0 ? best : 0.001) }'
    done
fi
