#!/usr/bin/env bash
# Builds the files of a release. It uploads nothing.
#
#   release/build.sh VERSION [PART…]     # into dist/, or $DIST
#
# Parts:
#   linux-x86_64 linux-aarch64     a static executable, manual pages, completions and licenses; also a .deb
#   windows-x86_64 macos-aarch64   the same without a .deb
#   wheels                         Python wheels and the sdist
#   web                            the npm package, and the explorer for a static host
#   crates                         a .crate file for each package
# Without a part, the script builds all of them. At the end it prints the parts that this machine cannot build.
#
# Needs Linux with rustup's Rust, git, python3 and dpkg-deb. The crates of zstd and xz bring their C sources. cargo-zigbuild,
# zig and maturin come from PyPI, in the versions below, into their own folder. Two builds of one commit with one Rust are
# identical: the script maps paths away, uses the time of the commit, and sets modes and owners. It builds wheels and
# WebAssembly modules in a folder below /var/tmp that always has the same name.
# $PROFILE is the Cargo profile; the default is `dist`.
#
# zig has the libraries of macOS but not CoreFoundation, which chrono needs through iana-time-zone. No SDK is needed:
# release/macos declares the seven functions that it calls.
set -euo pipefail
umask 022
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=${1:?expected the version: release/build.sh VERSION [PART…]}
shift
declared=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
if [ "$version" != "$declared" ]; then
    echo "the version in Cargo.toml is $declared, not $version" >&2
    exit 2
fi
parts=("$@")
known=(linux-x86_64 linux-aarch64 windows-x86_64 macos-aarch64 wheels web crates)
[ ${#parts[@]} -gt 0 ] || parts=("${known[@]}")
for part in "${parts[@]}"; do
    if [[ " ${known[*]} " != *" $part "* ]]; then
        echo "unknown part $part; the parts are ${known[*]}" >&2
        exit 2
    fi
done

dist=$(realpath -m "${DIST:-dist}")
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
profile=${PROFILE:-dist}
tools=$target/release-tools
left_out=()
mkdir -p "$dist"

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CARGO_TARGET_DIR=$target
export RUSTFLAGS="--remap-path-prefix=$PWD=/sgfstream --remap-path-prefix=$target=/target --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
export SDKROOT=$PWD/release/macos MACOSX_DEPLOYMENT_TARGET=11.0
export CFLAGS="-ffile-prefix-map=$target=/target -ffile-prefix-map=${CARGO_HOME:-$HOME/.cargo}=/cargo"

pins=(maturin==1.16.0 cargo-zigbuild==0.24.1 ziglang==0.17.1)
if [ "$(cat "$tools/pins" 2>/dev/null)" != "${pins[*]}" ]; then
    python3 -m venv --clear "$tools"
    "$tools/bin/pip" install --quiet "${pins[@]}"
    echo "${pins[*]}" >"$tools/pins"
fi
PATH=$tools/bin:$PATH

# Adds the target of a part to the toolchain; fails with a message if that is impossible.
add_target() {
    if ! rustup target list --installed | grep -qx "$1" && ! rustup target add "$1" >/dev/null 2>&1; then
        echo "rustup cannot install the target $1" >&2
        return 1
    fi
}

# Goes to a copy of the commit's sources in a folder that always has the same name. For a package outside the workspace, Cargo
# hashes the path into symbol names, which changes the order of the output.
go_to_sources() {
    local folder=/var/tmp/sgfstream-sources-$version
    rm -rf "$folder"
    mkdir -m 700 "$folder"
    git archive HEAD | tar -x -C "$folder"
    cd "$folder"
    RUSTFLAGS+=" --remap-path-prefix=$folder=/sgfstream"
}

# Sets modes and times that do not depend on the builder or the time.
settle() {
    chmod -R u=rwX,go=rX "$1"
    find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}

# Archives a folder: the same files give the same bytes.
pack() {
    local folder=$1 out=$2
    case $out in
    *.zip) (cd "$(dirname "$folder")" && python3 "$OLDPWD/release/pack.py" "$(basename "$folder")" "$out") ;;
    *) tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$(dirname "$folder")" \
        -cf - "$(basename "$folder")" | gzip -n -9 >"$out" ;;
    esac
}

# Builds the command for a Rust target. An inlining threshold of 40 instead of 250 makes it smaller; the sources mark what must
# be inlined. docs/notes/performance.md has the figures.
command_for() {
    add_target "$1"
    # The time of the commit would make Cargo rebuild the C sources of zstd and xz, and all that uses them, for each commit.
    env -u SOURCE_DATE_EPOCH cargo-zigbuild rustc --quiet --locked --profile "$profile" -p sgfq --bin sgfq --target "$1" -- -C llvm-args=-inline-threshold=40
}

# Builds the command for this machine, which writes the manual pages and completions.
command_here() {
    local triple
    triple=$(uname -m)-unknown-linux-musl
    command_for "$triple"
    native=$target/$triple/$profile/sgfq
}

# Writes manual pages and completions into a folder.
documents() {
    local folder=$1 native shell page
    command_here
    mkdir -p "$folder/man/man1" "$folder/completions"
    "$native" man >"$folder/man/man1/sgfq.1"
    for page in $("$native" help | sed -n '/^Look:/,/^Topics/s/^  \([a-z]*\) .*/\1/p'); do
        "$native" man "$page" >"$folder/man/man1/sgfq-$page.1"
    done
    for shell in bash zsh fish powershell elvish; do
        "$native" completions "$shell" >"$folder/completions/sgfq.$shell"
    done
}

deb() {
    local folder=$1 machine=$2 root=$3
    rm -rf "$root"
    mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/share/man/man1" "$root/usr/share/doc/sgfq" \
        "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d"
    cp "$folder/sgfq" "$root/usr/bin/"
    cp "$folder"/man/man1/*.1 "$root/usr/share/man/man1/"
    gzip -n -9 "$root"/usr/share/man/man1/*.1
    cp "$folder/completions/sgfq.bash" "$root/usr/share/bash-completion/completions/sgfq"
    cp "$folder/completions/sgfq.zsh" "$root/usr/share/zsh/vendor-completions/_sgfq"
    cp "$folder/completions/sgfq.fish" "$root/usr/share/fish/vendor_completions.d/sgfq.fish"
    cat "$folder"/LICENSE-* "$folder/LICENSES-OF-PARTS.txt" >"$root/usr/share/doc/sgfq/copyright"
    cat >"$root/DEBIAN/control" <<CONTROL
Package: sgfq
Version: $version
Architecture: $machine
Maintainer: the authors of sgfstream <sgfstream@example.org>
Section: games
Priority: optional
Installed-Size: $(find "$root/usr" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
Description: searches, checks, repairs and converts SGF game records
 Searches, checks, repairs and converts archives of SGF, the text format of
 game records of Go and forty other board games.
CONTROL
    settle "$root"
    dpkg-deb --root-owner-group -Zxz --build "$root" "$dist/sgfq_${version}_$machine.deb" >/dev/null
}

# Builds an executable, and packs it with its documents.
#   executable PART TRIPLE EXTENSION
executable() {
    local part=$1 triple=$2 extension=$3 name=sgfq-$version-$1 folder
    folder=$target/release-folders/$name
    rm -f "$dist/$name".*
    command_for "$triple"
    rm -rf "$folder"
    mkdir -p "$folder"
    if [ "$extension" = zip ]; then
        cp "$target/$triple/$profile/sgfq.exe" "$folder/"
    else
        cp "$target/$triple/$profile/sgfq" "$folder/"
    fi
    cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder/"
    documents "$folder"
    python3 release/parts.py --target "$triple" --licenses "$folder/LICENSES-OF-PARTS.txt" --sbom "$dist/$name.cdx.json" \
        --vendored crates/sgfq/src/commands/explore/assets/vendor
    settle "$folder"
    pack "$folder" "$dist/$name.$extension"
    case $part in
    linux-x86_64) deb "$folder" amd64 "$target/release-folders/deb-amd64" ;;
    linux-aarch64) deb "$folder" arm64 "$target/release-folders/deb-arm64" ;;
    esac
}

wheels() {
    local triple
    go_to_sources
    maturin sdist --manifest-path python/Cargo.toml --out "$dist"
    for triple in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu; do
        add_target "$triple"
        maturin build --quiet --release --locked --zig --compatibility manylinux_2_28 --target "$triple" \
            --manifest-path python/Cargo.toml --out "$dist"
    done
}

# Builds the npm package and the explorer for a static host, with the licenses of their parts. Needs Node.
web() {
    local folder=$target/release-folders/sgfstream-explorer-$version
    if ! command -v npm >/dev/null; then
        echo "npm is missing; install Node.js" >&2
        return 1
    fi
    add_target wasm32-unknown-unknown
    go_to_sources
    # WebAssembly modules have their own flags.
    env -u RUSTFLAGS -u CFLAGS web/build.sh
    python3 release/parts.py --target wasm32-unknown-unknown --package sgfstream-wasm --manifest web/wasm/Cargo.toml \
        --licenses web/dist/LICENSES-OF-PARTS.txt --sbom "$dist/sgfstream-$version-npm.cdx.json"
    (cd web && npm pack --silent --pack-destination "$dist")
    env -u RUSTFLAGS -u CFLAGS web/explorer/build.sh "$folder"
    cp LICENSE-APACHE LICENSE-MIT "$folder/"
    python3 release/parts.py --target wasm32-unknown-unknown --package sgfstream-explorer --manifest web/explorer/wasm/Cargo.toml \
        --licenses "$folder/LICENSES-OF-PARTS.txt" --sbom "$dist/sgfstream-explorer-$version.cdx.json" \
        --vendored crates/sgfq/src/commands/explore/assets/vendor
    settle "$folder"
    pack "$folder" "$dist/sgfstream-explorer-$version.zip"
}

# All published packages, listed in publishing order: each package comes after its dependencies.
crates() {
    cargo package --quiet --locked --workspace --exclude sgfstream-measure --no-verify
    python3 release/order.py >"$dist/crates.txt"
    while read -r name; do
        cp "$target/package/$name-$version.crate" "$dist/"
    done <"$dist/crates.txt"
}

for part in "${parts[@]}"; do
    echo "$part"
    # Bash ignores `set -e` in a command whose status is tested, so the part runs in a subshell that sets it again.
    set +e
    (
        set -e
        case $part in
        linux-x86_64) executable "$part" x86_64-unknown-linux-musl tar.gz ;;
        linux-aarch64) executable "$part" aarch64-unknown-linux-musl tar.gz ;;
        windows-x86_64) executable "$part" x86_64-pc-windows-gnu zip ;;
        macos-aarch64) executable "$part" aarch64-apple-darwin tar.gz ;;
        *) "$part" ;;
        esac
    )
    status=$?
    set -e
    [ $status -eq 0 ] || left_out+=("$part")
done

(cd "$dist" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
(cd "$dist" && ls -l && cat SHA256SUMS)
if [ ${#left_out[@]} -gt 0 ]; then
    echo "not built; the reasons are above: ${left_out[*]}" >&2
    exit 1
fi
