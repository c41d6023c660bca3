#!/usr/bin/env bash
# Installs the files of `release/build.sh` in clean environments and uses them as README describes.
#
#   release/check.sh [DIST]
#
# - A static executable runs in an empty chroot if this is root, the one for ARM64 in qemu-user, the one for Windows in Wine.
# - A .deb is installed in a Debian that debootstrap makes.
# - A wheel and the sdist are installed in fresh venvs, a wheel for ARM64 in the Debian of its .deb.
# - `cargo install` builds the command from the .crate files.
# At the end, the script prints what it could not try, and why.
set -euo pipefail
dist=${1:+$(realpath "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dist=${dist:-$PWD/dist}
corpus=$PWD/corpus
place=$(mktemp -d "${TMPDIR:-/tmp}/sgfstream-release-XXXXXX")
trap 'rm -rf --one-file-system "$place"' EXIT
# Compiles the sdist and the .crate files without optimization, because this script only tests that they build and work.
export CARGO_TARGET_DIR=$place/target
export CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_STRIP=true
skipped=()
failed=0

skip() {
    skipped+=("$1: $2")
}

step() {
    if "${@:2}" >"$place/output" 2>&1; then
        echo "ok    $1"
    else
        echo "FAIL  $1"
        cat "$place/output"
        failed=1
    fi
}

has() {
    command -v "$1" >/dev/null
}

# Every file matches its hash, and no file is missing.
hashes() {
    (cd "$dist" && sha256sum --quiet --check SHA256SUMS) || return 1
    diff <(cut -c 67- "$dist/SHA256SUMS") <(cd "$dist" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort)
}
step SHA256SUMS hashes

# Runs README's examples: the help, statistics of a zip, findings, and a table.
#   use FOLDER COMMAND…     # FOLDER contains `corpus`
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
    local log=$place/explore.log url
    : >"$log"
    "$@" explore --no-open corpus/go-collection.sgf >/dev/null 2>"$log" &
    local server=$!
    for _ in $(seq 100); do
        url=$(grep -o 'http://[^ #]*' "$log" || true)
        [ -z "$url" ] || break
        sleep 0.1
    done
    local status=1
    curl --silent --fail "$url" | grep -qi '<!doctype html' && status=0
    kill -INT "$server" 2>/dev/null || true
    for _ in $(seq 100); do
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    return "$status"
}

unpack() {
    local folder
    folder=$place/$(basename "$1")-files
    mkdir -p "$folder"
    case $1 in
    *.zip) python3 -m zipfile -e "$1" "$folder" ;;
    *) tar -xzf "$1" -C "$folder" ;;
    esac
    cp -r "$corpus" "$folder/"
    cp "$folder"/sgfq-*/sgfq* "$folder/"
    ls "$folder"/sgfq-*/man/man1/sgfq-check.1 "$folder"/sgfq-*/completions/sgfq.bash "$folder"/sgfq-*/LICENSES-OF-PARTS.txt >/dev/null
    echo "$folder"
}

bill() {
    python3 -c "import json, sys; bill = json.load(open(sys.argv[1])); assert bill['bomFormat'] == 'CycloneDX' and len(bill['components']) > (5 if 'sgfstream-' in sys.argv[1] else 50)" "$1"
}

qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
for file in "$dist"/sgfq-* "$dist"/sgfstream-*.cdx.json; do
    [ -e "$file" ] || continue
    name=$(basename "$file")
    case $name in
    *.cdx.json) step "$name is CycloneDX" bill "$file" ;;
    *linux-"$(uname -m)".tar.gz)
        folder=$(unpack "$file")
        mkdir -p "$folder/tmp"
        if [ "$(id -u)" = 0 ]; then
            step "$name: README's examples, in an empty chroot" use "$folder" chroot "$folder" /sgfq
        else
            step "$name: README's examples" use "$folder" env -C "$folder" ./sgfq
            skip "$name in an empty chroot" "that needs root"
        fi
        step "$name: explore answers on loopback" explore env -C "$folder" ./sgfq
        ;;
    *linux-aarch64.tar.gz)
        if [ -n "$qemu" ]; then
            folder=$(unpack "$file")
            step "$name: README's examples, in qemu" use "$folder" env -C "$folder" "$qemu" ./sgfq
            step "$name: explore answers on loopback, in qemu" explore env -C "$folder" "$qemu" ./sgfq
        else
            skip "$name" "qemu-user is not installed"
        fi
        ;;
    *windows*)
        export WINEPREFIX=$place/wine WINEDEBUG=-all
        if ! has wine; then
            skip "$name" "wine is not installed"
        elif ! wine wineboot --init >/dev/null 2>&1 || ! [ -e "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" ]; then
            skip "$name" "$(wine --version) has no bcryptprimitives.dll, from which Rust's library takes its random numbers"
        else
            folder=$(unpack "$file")
            step "$name: README's examples, in wine" use "$folder" env -C "$folder" wine ./sgfq.exe
            step "$name: explore answers on loopback, in wine" explore env -C "$folder" wine ./sgfq.exe
        fi
        ;;
    *macos*) skip "$name" "there is no macOS here" ;;
    esac
done

# Installs a wheel in a Debian, runs its command and reads rows of games.
wheel_in_debian() {
    local root=$1 wheel=$2
    cp "$wheel" "$root/" || return 1
    chroot "$root" python3 -m venv /venv || return 1
    chroot "$root" /venv/bin/pip install --quiet --no-index "/$(basename "$wheel")" || return 1
    use "$root" chroot "$root" /venv/bin/sgfq || return 1
    chroot "$root" /venv/bin/python -c "import sgfstream; assert sgfstream.scan('corpus').count() > 50"
}

native=$(dpkg --print-architecture 2>/dev/null || echo none)
for file in "$dist"/*.deb; do
    [ -e "$file" ] || continue
    name=$(basename "$file")
    machine=${name##*_}
    machine=${machine%.deb}
    if [ "$(id -u)" = 0 ] && has debootstrap && { [ "$machine" = "$native" ] || [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; }; then
        root=$place/debian-$machine
        step "a Debian of $machine" debootstrap --variant=minbase --include=python3,python3-venv --arch="$machine" stable "$root"
        cp "$file" "$root/sgfq.deb"
        cp -r "$corpus" "$root/"
        step "$name installs in it" chroot "$root" dpkg --install /sgfq.deb
        step "$name: README's examples in it" use "$root" chroot "$root" sgfq
        for wheel in "$dist"/*manylinux*"${machine/arm/aarch}".whl "$dist"/*manylinux*"${machine/amd64/x86_64}".whl; do
            [ ! -e "$wheel" ] || step "$(basename "$wheel"): the command and rows in it" wheel_in_debian "$root" "$wheel"
        done
        rm -rf --one-file-system "$root"
    elif [ "$machine" = "$native" ]; then
        root=$place/deb
        step "$name unpacks" dpkg-deb --extract "$file" "$root"
        cp -r "$corpus" "$root/"
        step "$name: README's examples" use "$root" env -C "$root" usr/bin/sgfq
        skip "$name in a Debian" "debootstrap is not installed, or this is not root"
    else
        skip "$name, and the wheel of that machine" "there is no debootstrap, no root, or no qemu-aarch64 in binfmt_misc"
    fi
done

# Installs a Python package in a new venv, with the libraries that read its tables.
python() {
    local file=$1 folder=$2
    python3 -m venv "$folder/venv" || return 1
    "$folder/venv/bin/pip" install --quiet "$file" pyarrow duckdb || return 1
    cp -r "$corpus" "$folder/" || return 1
    use "$folder" env -C "$folder" "$folder/venv/bin/sgfq" || return 1
    env -C "$folder" "$folder/venv/bin/python" - <<PYTHON
import duckdb, sgfstream
games = sgfstream.scan("corpus").to_dataset()
assert duckdb.sql("SELECT count(*) FROM games").fetchall()[0][0] > 50
assert duckdb.sql("SELECT pb FROM 'games.parquet'").fetchall() == [("Ada",)]
PYTHON
}

for file in "$dist"/*manylinux*"$(uname -m)".whl "$dist"/sgfstream-*.tar.gz; do
    [ -e "$file" ] || continue
    name=$(basename "$file")
    if [[ $name == *.tar.gz ]] && ! has cargo; then
        skip "$name" "Rust is not installed, or not for this user"
    else
        step "$name: README's examples, and DuckDB reads its tables" python "$file" "$(mktemp -d "$place/python-XXXXXX")"
    fi
done

# Installs the npm package in a new folder, reads and writes trees, and asks for findings.
npm_package() {
    local file=$1 folder=$2
    mkdir "$folder"
    (cd "$folder" && npm install --silent --no-audit --no-fund "$file") || return 1
    ls "$folder"/node_modules/sgfstream/dist/{LICENSE-MIT,LICENSES-OF-PARTS.txt} >/dev/null || return 1
    cat >"$folder/use.mjs" <<'SCRIPT'
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { parse, serialize } from 'sgfstream';
import { check } from 'sgfstream/full';

const [, , path] = process.argv;
const bytes = readFileSync(path);
const roots = parse(bytes);
assert.equal(roots.length, 4);
assert.deepEqual(Buffer.from(serialize(roots)), bytes);
assert.ok(check('(;B[aa]B[bb])').length > 0);
SCRIPT
    node "$folder/use.mjs" "$corpus/go-collection.sgf"
}

for file in "$dist"/sgfstream-*.tgz; do
    [ -e "$file" ] || continue
    if has npm; then
        step "$(basename "$file"): trees read and written, findings" npm_package "$file" "$place/npm"
    else
        skip "$(basename "$file")" "there is no Node"
    fi
done

# The explorer for a static host has the page and its module, and asks no other host for anything.
explorer() {
    local folder=$2
    mkdir "$folder"
    python3 -m zipfile -e "$1" "$folder" || return 1
    cd "$folder"/sgfstream-explorer-* || return 1
    ls index.html page.js explorer.wasm LICENSE-MIT LICENSES-OF-PARTS.txt >/dev/null || return 1
    grep -q "default-src 'none'" index.html || return 1
    ! grep -E '(src|href)="(https?:)?//' index.html
}

for file in "$dist"/sgfstream-explorer-*.zip; do
    [ -e "$file" ] || continue
    step "$(basename "$file"): its page needs no other host" explorer "$file" "$place/explorer"
done

# Each package has its licenses and a line in crates.txt, after the packages that it uses.
packages() {
    local folder=$1 name used seen=" "
    mkdir "$folder"
    diff <(LC_ALL=C sort "$dist/crates.txt") <(cd "$dist" && printf '%s\n' *.crate | sed 's/-[0-9].*//' | LC_ALL=C sort) || return 1
    while read -r name; do
        tar -xzf "$dist/$name"-[0-9]*.crate -C "$folder" || return 1
        ls "$folder/$name"-[0-9]*/{README.md,LICENSE-APACHE,LICENSE-MIT} >/dev/null || return 1
        while read -r used; do
            [[ $seen == *" $used "* ]] || { echo "expected $used before $name in crates.txt"; return 1; }
        done < <(sed -n 's/^\[.*dependencies\.\(sgf[a-z-]*\)\]$/\1/p' "$folder/$name"-[0-9]*/Cargo.toml)
        seen+="$name "
    done <"$dist/crates.txt"
}

# Installs the command with `cargo install` from the .crate files alone, as from a registry.
install() {
    local folder=$1 name patches=()
    while read -r name; do
        [ "$name" = sgfq ] || patches+=(--config "patch.crates-io.$name.path='$(echo "$folder/$name"-[0-9]*)'")
    done <"$dist/crates.txt"
    cargo install --quiet --path "$folder"/sgfq-[0-9]* --root "$folder/root" "${patches[@]}" || return 1
    cp -r "$corpus" "$folder/" || return 1
    use "$folder" env -C "$folder" "$folder/root/bin/sgfq"
}

if ! [ -e "$dist/crates.txt" ]; then
    skip "the .crate files" "the folder has no crates.txt"
else
    step "the .crate files are complete, in order, and have licenses" packages "$place/crates"
    if has cargo; then
        step "the .crate files: README's examples by the command that 'cargo install' builds" install "$place/crates"
    else
        skip "a command of the .crate files" "Rust is not installed, or not for this user"
    fi
fi

for line in "${skipped[@]}"; do
    echo "not tried: $line"
done
exit $failed
