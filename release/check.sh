#!/usr/bin/env bash
# Takes what `release/build.sh` made to clean places, and uses it there as README says.
#
#   release/check.sh [DIST]
#
# A static executable runs in a chroot that has nothing else (as root; else where it is), those of other machines in
# qemu-user and wine where these are installed, a .deb in a Debian made by debootstrap, a wheel in a fresh venv. What was
# not tried is said at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dist=$(realpath "${1:-dist}")
corpus=$PWD/corpus
place=$(mktemp -d "${TMPDIR:-/tmp}/sgfstream-release-XXXXXX")
trap 'rm -rf "$place"' EXIT
skipped=()
failed=0

skip() {
    skipped+=("$1: $2")
}

step() {
    if "${@:2}" >"$place/said" 2>&1; then
        echo "ok    $1"
    else
        echo "FAIL  $1"
        cat "$place/said"
        failed=1
    fi
}

(cd "$dist" && sha256sum --quiet --check SHA256SUMS) && echo "ok    SHA256SUMS"

# README's examples, by a command that runs the executable: the help, statistics of a zip, findings, a table that DuckDB
# reads, and the page that answers on this machine alone. The folder is what the executable sees as `corpus`' parent.
use() {
    local folder=$1
    shift
    [ "$("$@" count corpus/go-collection.sgf | sed -n 's/^games[^0-9]*//p')" = 4 ] || return 1
    "$@" help | grep -q '^Look:' || return 1
    "$@" stats corpus/packed/two.zip | grep -q '^games' || return 1
    "$@" check -f short corpus/duplicates.sgf >"$place/findings" || [ $? -eq 1 ] || return 1
    grep -q 'error\[duplicate-property\]' "$place/findings" || return 1
    "$@" index -o games.parquet corpus/go-ff4.sgf || return 1
    [ "$(head -c 4 "$folder/games.parquet")" = PAR1 ]
}

explore() {
    local said=$place/explore.said url
    "$@" explore --no-open corpus/go-collection.sgf >/dev/null 2>"$said" &
    local server=$!
    for _ in $(seq 100); do
        url=$(grep -o 'http://[^ #]*' "$said" || true)
        [ -z "$url" ] || break
        sleep 0.1
    done
    local status=1
    curl --silent --fail "$url" | grep -qi '<!doctype html' && status=0
    kill -INT $server 2>/dev/null || true
    wait $server 2>/dev/null || true
    return $status
}

unpack() {
    local folder=$place/$(basename "$1")-files
    mkdir -p "$folder"
    case $1 in
    *.zip) python3 -m zipfile -e "$1" "$folder" ;;
    *) tar -xzf "$1" -C "$folder" ;;
    esac
    cp -r "$corpus" "$folder/"
    cp "$folder"/sgfq-*/sgfq* "$folder/"
    ls "$folder"/sgfq-*/man/man1/sgfq-check.1 "$folder"/sgfq-*/completions/sgfq.bash "$folder"/sgfq-*/LICENCES-OF-PARTS.txt >/dev/null
    echo "$folder"
}

for file in "$dist"/sgfq-*; do
    [ -e "$file" ] || continue
    name=$(basename "$file")
    case $name in
    *.cdx.json) step "$name is CycloneDX" python3 -c "import json, sys; bill = json.load(open(sys.argv[1])); assert bill['bomFormat'] == 'CycloneDX' and len(bill['components']) > 50" "$file" ;;
    *linux-"$(uname -m)"*)
        folder=$(unpack "$file")
        mkdir -p "$folder/tmp"
        run=(env -C "$folder" ./sgfq)
        if [ "$(id -u)" = 0 ]; then
            run=(chroot "$folder" /sgfq)
        else
            skip "$name in an empty chroot" "that needs root; it ran in a folder"
        fi
        step "$name: README's examples" use "$folder" "${run[@]}"
        step "$name: explore answers on loopback" explore env -C "$folder" ./sgfq
        ;;
    *linux-aarch64*)
        if command -v qemu-aarch64-static >/dev/null || command -v qemu-aarch64 >/dev/null; then
            qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)
            folder=$(unpack "$file")
            step "$name: README's examples, in qemu" use "$folder" env -C "$folder" "$qemu" ./sgfq
        else
            skip "$name" "qemu-user is not installed"
        fi
        ;;
    *windows*)
        if command -v wine >/dev/null; then
            folder=$(unpack "$file")
            step "$name: README's examples, in wine" use "$folder" env -C "$folder" WINEDEBUG=-all wine ./sgfq.exe
        else
            skip "$name" "wine is not installed"
        fi
        ;;
    *macos*) skip "$name" "there is no macOS here" ;;
    esac
done

for file in "$dist"/*_"$(dpkg --print-architecture 2>/dev/null || echo none)".deb; do
    [ -e "$file" ] || continue
    if [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null; then
        root=$place/debian
        step "a Debian" debootstrap --variant=minbase stable "$root"
        cp "$file" "$root/sgfq.deb"
        cp -r "$corpus" "$root/"
        step "$(basename "$file") installs" chroot "$root" dpkg --install /sgfq.deb
        step "$(basename "$file"): README's examples" use "$root" chroot "$root" sgfq
    else
        root=$place/deb
        step "$(basename "$file") unpacks" dpkg-deb --extract "$file" "$root"
        cp -r "$corpus" "$root/"
        step "$(basename "$file"): README's examples" use "$root" env -C "$root" usr/bin/sgfq
        skip "$(basename "$file") in a Debian" "debootstrap is not installed, or this is not root"
    fi
done

for file in "$dist"/*manylinux*"$(uname -m)".whl; do
    [ -e "$file" ] || continue
    python3 -m venv "$place/venv"
    step "$(basename "$file") installs" "$place/venv/bin/pip" install --quiet "$file" pyarrow duckdb
    folder=$place/wheel
    mkdir -p "$folder"
    cp -r "$corpus" "$folder/"
    step "$(basename "$file"): README's examples" use "$folder" env -C "$folder" "$place/venv/bin/sgfq"
    step "$(basename "$file"): DuckDB reads a table" env -C "$folder" "$place/venv/bin/python" -c \
        "import duckdb, sgfstream; games = sgfstream.scan('corpus').to_dataset(); assert duckdb.sql('SELECT count(*) FROM games').fetchall()[0][0] > 50; assert duckdb.sql(\"SELECT pb FROM 'games.parquet'\").fetchall() == [('Ada',)]"
done
for file in "$dist"/*.crate; do
    [ -e "$file" ] || skip crates "there are none"
    break
done

for line in "${skipped[@]}"; do
    echo "not tried: $line"
done
exit $failed
